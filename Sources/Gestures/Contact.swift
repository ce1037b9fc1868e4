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
  var isDown: Bool { id >= 0 && distance <= 0 && !isPalm && x != nil && y != nil }

  var isPalm: Bool { tool == EventCode.palm }

  /// Takes in what the device says of the contact, by the codes of protocol B; returns whether it meant anything.
  mutating func take(_ code: UInt16, _ value: Int32) -> Bool {
    switch code {
    case EventCode.tracking: identify(value)
    case EventCode.contactX: x = value
    case EventCode.contactY: y = value
    case EventCode.tool: tool = value
    case EventCode.contactDistance: distance = value
    default: return false
    }
    return true
  }

  mutating func identify(_ id: Int32) {
    if self.id >= 0, id != self.id { isReplaced = true }
    self.id = max(id, -1)
  }

  /// Carries the finger's stroke on to where the contact is now. Returns the place if the finger has just landed.
  mutating func follow(at time: Int64, on surface: TouchSurface, limits: TouchLimits) -> Gesture.Position? {
    guard let x, let y else { return nil }
    let place = Stroke.Vector(x: Double(x) * surface.x.step, y: Double(y) * surface.y.step)
    guard stroke == nil else {
      stroke?.move(to: place, at: time, limits: limits)
      return nil
    }
    stroke = Stroke(from: place, at: time)
    return Gesture.Position(x: surface.x.fraction(x), y: surface.y.fraction(y))
  }
}
