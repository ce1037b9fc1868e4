/// Fingers that are judged together: one finger, or several while a gesture of several is possible.
struct FingerGroup: Equatable, Sendable {
  struct Finger: Equatable, Sendable {
    /// The present or last slot of the finger.
    var contact: Int
    /// The region in which the finger landed.
    var region: Int
    /// The landing position, as a fraction of the surface.
    var position: Gesture.Position
    var stroke: Stroke
    var isDown = true
    /// The stroke since a landing that was assigned to this finger only because of its velocity; nil for no such
    /// landing.
    var relanding: Relanding?

    /// The finger that made the latest landing, if that was a different finger; nil otherwise.
    ///
    /// If the panel loses one moving finger, the finger moves before, during and after the loss. Two fingers that tap
    /// in turn hardly move, but are far apart.
    var other: Finger? {
      guard let relanding, max(relanding.before, relanding.stroke.net.length) <= relanding.gap / 2 else { return nil }
      return Finger(
        contact: contact, region: region, position: relanding.position, stroke: relanding.stroke, isDown: isDown)
    }
  }

  struct Relanding: Equatable, Sendable {
    let position: Gesture.Position
    var stroke: Stroke
    /// The distance of the finger from its first landing when it was lost.
    let before: Double
    /// The distance from the loss to the landing.
    let gap: Double
  }

  struct Emission: Equatable, Sendable {
    let gesture: Gesture
    /// Whether the gesture is one of the taps that may become a double-tap.
    let isRepetition: Bool
    /// The region of the taps with which the gesture may form a double-tap.
    let region: Int
  }

  /// The fingers in the order in which they landed; at least one.
  private(set) var fingers: [Finger]
  /// The region of the zones in which all fingers landed.
  var region: Int
  /// Whether no further gesture is possible: the long press was emitted already, or a part of the touch is unknown.
  var isOver = false
  /// Whether strokes that were judged separately were joined, because they move in parallel.
  private(set) var isOneHand = false
  /// Whether the device reports more fingers than contacts, or only the corners of a box around them. Such fingers
  /// cannot be separated.
  private(set) var isInseparable: Bool
  /// The gestures that were emitted when the panel lost the fingers for a moment: one for the group, or one for each
  /// finger that was then judged separately.
  var emitted: [Emission] = []
  /// The time at which a long press is due.
  var longPress: Int64?
  /// The time at which several fingers must be judged again, because a common gesture may have become impossible.
  var review: Int64?
  private(set) var lastLanding: Int64
  /// The number of fingers that the device states, if it has fewer slots.
  private var reportedFingerCount = 0

  init(_ finger: Finger, isInseparable: Bool = false) {
    fingers = [finger]
    region = finger.region
    lastLanding = finger.stroke.startTime
    self.isInseparable = isInseparable
  }

  var count: Int { max(fingers.count, reportedFingerCount) }
  var position: Gesture.Position { fingers[0].position }
  var landings: [Stroke.Vector] { fingers.map(\.stroke.start) }
  var startTime: Int64 { fingers[0].stroke.startTime }
  var strokes: [Stroke] { fingers.map(\.stroke) }
  var hasFingersDown: Bool { fingers.contains(where: \.isDown) }
  var hasLiftedFingers: Bool { fingers.contains { !$0.isDown } }
  /// The time of the first lift of the fingers that are not down; nil without such a finger.
  var firstLift: Int64? { fingers.lazy.filter { !$0.isDown }.map(\.stroke.end).min() }
  /// The time of the last lift of the fingers that are not down; the start of the group without such a finger.
  var lastLift: Int64 { fingers.lazy.filter { !$0.isDown }.map(\.stroke.end).max() ?? startTime }

  var direction: Gesture.Kind { fingers.reduce(.zero) { $0 + $1.stroke.net }.direction }

  func index(of contact: Int) -> Int? { fingers.firstIndex { $0.contact == contact && $0.isDown } }

  mutating func add(_ finger: Finger, in region: Int) {
    fingers.append(finger)
    self.region = region
    lastLanding = finger.stroke.startTime
  }

  /// Joins a group whose fingers move in parallel with this group's fingers, or cannot be separated from them.
  mutating func join(_ other: FingerGroup, isOneHand: Bool) {
    fingers = (fingers + other.fingers).sorted { $0.stroke.startTime < $1.stroke.startTime }
    lastLanding = max(lastLanding, other.lastLanding)
    self.isOneHand = self.isOneHand || isOneHand
    isOver = isOver || other.isOver
    emitted += other.emitted
  }

  mutating func report(_ count: Int, at time: Int64) {
    reportedFingerCount = count
    lastLanding = time
    isInseparable = true
  }

  /// Changes the stroke of a finger that is down.
  mutating func update(_ index: Int, _ change: (inout Stroke) -> Void) {
    change(&fingers[index].stroke)
    if var relanding = fingers[index].relanding {
      change(&relanding.stroke)
      fingers[index].relanding = relanding
    }
  }

  mutating func correctLanding(of index: Int, to position: Gesture.Position) { fingers[index].position = position }

  mutating func lift(_ index: Int, at time: Int64, limits: TouchLimits) {
    update(index) { $0.lift(at: time, limits: limits) }
    fingers[index].isDown = false
  }

  mutating func remove(_ index: Int) { fingers.remove(at: index) }

  /// A finger that the panel may only have lost for a moment.
  struct LostFinger {
    let index: Int
    /// The distance from the expected position to the landing.
    let distance: Double
  }

  /// The finger whose expected position is nearest to a landing contact, if it can be that contact.
  func lostFinger(at place: Stroke.Vector, _ time: Int64, limits: TouchLimits) -> LostFinger? {
    fingers.indices.reversed().compactMap { index in
      guard !fingers[index].isDown else { return nil }
      return fingers[index].stroke.distance(toContinuationAt: place, time, limits: limits).map {
        LostFinger(index: index, distance: $0)
      }
    }.min { $0.distance < $1.distance }
  }

  mutating func resume(
    _ index: Int, as contact: Int, at place: Stroke.Vector, _ position: Gesture.Position, _ time: Int64,
    limits: TouchLimits
  ) {
    fingers[index].isDown = true
    fingers[index].contact = contact
    let stroke = fingers[index].stroke
    let gap = (place - stroke.last).length
    guard gap > limits.dropoutRadius else { return }
    fingers[index].relanding = Relanding(
      position: position, stroke: Stroke(from: place, at: time), before: stroke.net.length, gap: gap)
  }
}
