/// One touch, judged as a whole: it begins when the first finger lands and ends when the last one lifts, because
/// fingers of one hand neither land nor lift together.
enum Touch: Equatable, Sendable {
  /// Nobody touches this part of the surface.
  case idle
  /// Fingers are down, and what they do is judged when the last of them lifts.
  case open(Fingers)
  /// Fingers are down, and nothing more is made of them: a long press was given already, or it is not known in full
  /// what they did.
  case over(Fingers)

  //  state   a finger lands    one lifts, others stay   the last one lifts   long press given   not all is known
  //  idle    open              -                        -                    -                  idle, or over
  //  open    open, one more    open, one less           idle: judged         over               idle, or over
  //  over    over, one more    over, one less           idle: nothing        -                  idle, or over

  /// The fingers of a touch.
  struct Fingers: Equatable, Sendable {
    /// Where and when the first one landed.
    let landed: Gesture.Position
    let startTime: Int64
    /// How many are down now, and how many were down at once.
    private(set) var down = 1
    private(set) var most = 1
    /// How many there were by the device's own account, where it has not places for all of them.
    private(set) var told = 0
    /// How often a finger landed, and when the last time.
    private(set) var landings = 1
    private(set) var lastLanding: Int64
    /// The strokes of those that lifted; of the last ones, where somebody drums beside a resting finger.
    private(set) var strokes: [Stroke] = []

    /// The most strokes of which a touch is judged.
    static let longest = 16

    init(landed: Gesture.Position, at time: Int64, down: Int = 1) {
      self.landed = landed
      startTime = time
      lastLanding = time
      self.down = down
      most = down
      landings = down
    }

    /// How many fingers make the touch.
    var count: Int { max(most, told) }

    /// The device says that there are more than it shows.
    mutating func tell(_ fingers: Int, at time: Int64) {
      told = fingers
      lastLanding = time
    }

    mutating func land(at time: Int64) {
      down += 1
      most = max(most, down)
      landings += 1
      lastLanding = time
    }

    mutating func lift(_ stroke: Stroke) {
      down -= 1
      if strokes.count == Self.longest { strokes.removeFirst() }
      strokes.append(stroke)
    }

    /// Takes up the stroke that goes on where a contact lands, if one does.
    mutating func rejoin(at place: Stroke.Vector, _ time: Int64, limits: TouchLimits) -> Stroke? {
      guard let index = strokes.lastIndex(where: { $0.isContinued(at: place, time, limits: limits) }) else {
        return nil
      }
      down += 1
      return strokes.remove(at: index)
    }
  }
}
