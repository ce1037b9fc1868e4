/// Fingers that are judged together: one finger, or several while a gesture of several can still come of them.
struct FingerGroup: Equatable, Sendable {
  struct Finger: Equatable, Sendable {
    /// The slot in which the finger is, or was last.
    var contact: Int
    /// The region in which it landed.
    var region: Int
    /// Where it landed, as a fraction of the surface.
    var position: Gesture.Position
    var stroke: Stroke
    var isDown = true
    /// The latest landing that is taken for this finger's because of its velocity alone, and the stroke since then.
    var relanding: Relanding?

    /// The finger that landed there, if it is another one.
    ///
    /// A moving finger that the panel loses moves before, meanwhile and afterwards. Two fingers that tap in turn hardly
    /// move, but they are far apart.
    var other: Finger? {
      guard let relanding, max(relanding.before, relanding.stroke.net.length) <= relanding.gap / 2 else { return nil }
      return Finger(
        contact: contact, region: region, position: relanding.position, stroke: relanding.stroke, isDown: isDown)
    }
  }

  struct Relanding: Equatable, Sendable {
    let position: Gesture.Position
    var stroke: Stroke
    /// How far the finger was from its first landing when it was lost.
    let before: Double
    /// From where it was lost to where it was found.
    let gap: Double
  }

  struct Emission: Equatable, Sendable {
    let gesture: Gesture
    /// Whether it is one of the taps that may be a double-tap.
    let isRepetition: Bool
    /// Where the fingers landed, which is the place of their taps.
    let landings: [Stroke.Vector]
    /// The region whose taps it may belong to.
    let region: Int
  }

  /// In the order in which they landed; at least one.
  private(set) var fingers: [Finger]
  /// The region of the zones in which all of them landed.
  var region: Int
  /// Whether nothing more may be made of them: their long press was emitted already, or something they did is not known.
  var isOver = false
  /// Whether strokes that were judged alone were joined, because they go alongside each other.
  private(set) var isOneHand = false
  /// Whether the device says that there are more fingers than it shows, or shows the corners of a box around them. Such
  /// fingers cannot be told apart.
  private(set) var isInseparable: Bool
  /// The gestures that were emitted when the panel lost the fingers for a moment: one, or one of each finger that was
  /// judged by itself then.
  var emitted: [Emission] = []
  /// When a long press is due.
  var longPress: Int64?
  /// When several fingers must be looked at again, since a gesture of them may not be able to come about any more.
  var review: Int64?
  private(set) var lastLanding: Int64
  /// The number of fingers that the device states, where it has not slots for all of them.
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
  /// When the first and the last of those fingers lifted that are not down.
  var firstLift: Int64? { fingers.lazy.filter { !$0.isDown }.map(\.stroke.end).min() }
  var lastLift: Int64 { fingers.lazy.filter { !$0.isDown }.map(\.stroke.end).max() ?? startTime }

  /// Where the fingers go together.
  var direction: Gesture.Kind { fingers.reduce(.zero) { $0 + $1.stroke.net }.direction }

  func index(of contact: Int) -> Int? { fingers.firstIndex { $0.contact == contact && $0.isDown } }

  mutating func add(_ finger: Finger, in region: Int) {
    fingers.append(finger)
    self.region = region
    lastLanding = finger.stroke.startTime
  }

  /// Joins a group whose fingers go alongside, or cannot be told from these.
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

  /// A finger that is down moves. Returns whether that showed that it had landed elsewhere: there, by `position`.
  mutating func move(
    _ index: Int, to place: Stroke.Vector, _ position: Gesture.Position, at time: Int64, limits: TouchLimits
  ) -> Bool {
    let start = fingers[index].stroke.start
    update(index) { $0.move(to: place, at: time, limits: limits) }
    guard fingers[index].stroke.start != start else { return false }
    fingers[index].position = position
    return true
  }

  mutating func lift(_ index: Int, at time: Int64, limits: TouchLimits) {
    update(index) { $0.lift(at: time, limits: limits) }
    fingers[index].isDown = false
  }

  mutating func remove(_ index: Int) { fingers.remove(at: index) }

  /// A finger that the panel may only have lost for a moment.
  struct LostFinger {
    let index: Int
    /// From where it is expected to the landing.
    let distance: Double
  }

  /// The finger that is expected nearest to a contact that lands, if it can be that contact.
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
