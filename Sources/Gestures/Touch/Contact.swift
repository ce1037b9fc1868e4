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
  var size: Int32 = 0
  /// Whether this contact was a palm in an earlier frame; it will not become a finger by lifting halfway.
  var wasPalm = false
  /// The finger that is down here, once it has landed, and the part of the surface where it did.
  var stroke: Stroke?
  var area = 0

  /// Whether a finger is on the surface: there is a contact, it does not hover, and its place is known.
  var isNear: Bool { id >= 0 && distance <= 0 && x != nil && y != nil }

  /// Takes in what the device says of the contact, by the codes of protocol B; returns whether it meant anything.
  mutating func take(_ code: UInt16, _ value: Int32) -> Bool {
    switch code {
    case EventCode.tracking: identify(value)
    case EventCode.contactX: x = value
    case EventCode.contactY: y = value
    case EventCode.tool: tool = value
    case EventCode.contactSize: size = value
    case EventCode.contactDistance: distance = value
    default: return false
    }
    return true
  }

  mutating func identify(_ id: Int32) {
    if id != self.id {
      if self.id >= 0 { isReplaced = true }
      wasPalm = false
    }
    self.id = max(id, -1)
  }
}
