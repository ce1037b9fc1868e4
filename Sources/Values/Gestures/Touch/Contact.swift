/// One slot: the last reported state, and the finger that is down in it.
///
/// The kernel omits unchanged values, even from one finger to the next, so all values except the identity are kept for
/// the next contact.
struct Contact: Equatable, Sendable {
  /// The tracking ID; negative without a contact.
  var id: Int32 = -1
  /// Whether another contact replaced this one within the frame.
  var isReplaced = false
  /// Whether a contact appeared within the frame.
  var hasBegun = false
  var x: Int32?
  var y: Int32?
  /// The coordinates that still have the values of the previous contact, because this contact has not reported them.
  var stale: Axes = []
  /// The coordinates that the frame reported.
  var moved: Axes = []
  /// The stale coordinates of a finger that landed with them.
  var awaited: Axes = []
  /// The time until which the first report of the ``awaited`` coordinates is the position of the landing.
  var awaitsPlaceUntil: Int64 = .max
  var distance: Int32 = 0
  var tool: Int32 = 0
  var size: Int32 = 0
  /// The largest size of this contact so far: a hand that lifts partly does not become a finger.
  var largest: Int32 = 0
  var pressure: Int32 = 0
  /// The greatest pressure of this contact so far.
  var hardest: Int32 = 0
  /// Whether the position outside of the surface was reported already.
  var isReportedOutside = false
  /// Whether this contact was a palm in an earlier frame.
  var wasPalm = false
  /// Whether a finger landed here and has not lifted.
  var isFinger = false
  /// The finger's position and the time of its last movement, to find contacts that never move.
  var rest: Rest?

  struct Axes: OptionSet, Sendable {
    let rawValue: Int

    static let x = Axes(rawValue: 1)
    static let y = Axes(rawValue: 2)
  }

  struct Rest: Equatable, Sendable {
    var place: Stroke.Vector
    var since: Int64
    /// The time of the landing; nil once it was reported that the contact never lifts.
    var landing: Int64?
    var isReported = false
  }

  /// Whether the contact's size or pressure has returned to 0: some panels report a lift in this way, without removing
  /// the contact. Others have no sizes, or none for light touches.
  var isEmpty: Bool { size <= 0 && largest > 0 || pressure <= 0 && hardest > 0 }

  /// Whether the contact has reported no coordinates yet.
  var isPlaceStale: Bool { stale == [.x, .y] }

  /// Whether the frame reports only the landing's late coordinates, and no movement.
  func hasLateCoordinates(at time: Int64) -> Bool {
    !moved.isEmpty && awaited.isSuperset(of: moved) && time <= awaitsPlaceUntil
  }

  /// Whether there is a contact with a known position.
  var hasPlace: Bool { id >= 0 && x != nil && y != nil }

  /// Applies an event with a code of protocol B; returns whether the code belongs to that protocol.
  mutating func take(_ code: UInt16, _ value: Int32) -> Bool {
    switch code {
    case EventCode.ABS_MT_TRACKING_ID: identify(value)
    case EventCode.ABS_MT_POSITION_X:
      x = value
      moved.insert(.x)
    case EventCode.ABS_MT_POSITION_Y:
      y = value
      moved.insert(.y)
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
      stale = [.x, .y]
      if id >= 0 { hasBegun = true }
    }
    self.id = max(id, -1)
  }
}
