/// One place in the table of contacts: what the device said of it last, and the stroke of the finger that is there.
///
/// The kernel leaves out what did not change, also from one finger to the next, so everything but the identity
/// outlives the contact.
struct Contact: Equatable, Sendable {
  /// The tracking id; negative where there is no contact.
  var id: Int32 = -1
  /// Whether another contact took this one's place within the frame.
  var isReplaced = false
  var x: Int32?
  var y: Int32?
  var distance: Int32 = 0
  var tool: Int32 = 0
  /// The finger that is down here, once it has landed.
  var stroke: Stroke?

  /// Whether a finger is on the surface: there is a contact, it does not hover, it is no palm, and its place is known.
  var isDown: Bool { id >= 0 && distance <= 0 && tool != EventCode.palm && x != nil && y != nil }

  mutating func identify(_ id: Int32) {
    if self.id >= 0, id != self.id { isReplaced = true }
    self.id = max(id, -1)
  }
}
