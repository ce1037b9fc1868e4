/// One slot: the state that the device reported last, and the finger that is down there.
///
/// The kernel leaves out what did not change, also from one finger to the next, so everything but the identity outlives the
/// contact.
struct Contact: Equatable, Sendable {
  /// The tracking id; negative where there is no contact.
  var id: Int32 = -1
  /// Whether another contact took this one's place within the frame.
  var isReplaced = false
  /// Whether a contact came within the frame.
  var hasBegun = false
  /// Whether the contact that went was there in one report alone, with which another one went: that finger, reported at a
  /// wrong place.
  var isStray = false
  var x: Int32?
  var y: Int32?
  /// Whether its coordinates are those of the contact before, since none came with this one yet.
  var isPlaceStale = false
  /// Whether coordinates came within the frame.
  var hasMoved = false
  /// For a finger that landed without coordinates: the time up to which the first ones say where it landed.
  var awaitsPlaceUntil: Int64?
  var distance: Int32 = 0
  var tool: Int32 = 0
  var size: Int32 = 0
  /// The largest size of this contact so far; a hand that lifts halfway does not become a finger.
  var largest: Int32 = 0
  var pressure: Int32 = 0
  /// The greatest pressure of this contact so far.
  var hardest: Int32 = 0
  /// Whether it was reported that the contact is outside of the surface.
  var isReportedOutside = false
  /// Whether this contact was a palm in an earlier frame.
  var wasPalm = false
  /// Whether a finger landed here and has not lifted.
  var isFinger = false
  /// Where the finger is and since when it has been there, to find contacts that never move.
  var rest: Rest?

  struct Rest: Equatable, Sendable {
    var place: Stroke.Vector
    var since: Int64
    /// When it landed; nil once it was reported that it never lifts.
    var landing: Int64?
    var isReported = false
  }

  /// Whether the contact had a size or a pressure and has none any more: so some panels say that a finger lifted, without
  /// taking the contact back. Others have no sizes, or none of light touches.
  var isEmpty: Bool { size <= 0 && largest > 0 || pressure <= 0 && hardest > 0 }

  /// Whether there is a contact whose place is known.
  var hasPlace: Bool { id >= 0 && x != nil && y != nil }

  /// Applies an event with a code of protocol B; returns whether the code is one of those.
  mutating func take(_ code: UInt16, _ value: Int32) -> Bool {
    switch code {
    case EventCode.ABS_MT_TRACKING_ID: identify(value)
    case EventCode.ABS_MT_POSITION_X: (x, hasMoved) = (value, true)
    case EventCode.ABS_MT_POSITION_Y: (y, hasMoved) = (value, true)
    case EventCode.ABS_MT_TOOL_TYPE: tool = value
    case EventCode.ABS_MT_TOUCH_MAJOR: size = value
    case EventCode.ABS_MT_PRESSURE: pressure = value
    case EventCode.ABS_MT_DISTANCE: distance = value
    default: return false
    }
    return true
  }

  mutating func identify(_ id: Int32) {
    if id != self.id {
      if self.id >= 0 { isReplaced = true }
      wasPalm = false
      isReportedOutside = false
      (largest, hardest) = (0, 0)
      isPlaceStale = true
      isStray = false
      if id >= 0 { hasBegun = true }
    }
    self.id = max(id, -1)
  }
}
