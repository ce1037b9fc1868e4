/// The way of one contact over the surface, kept as the few numbers that the judgement needs.
struct Stroke: Equatable, Sendable {
  /// A place or a way in the surface's unit.
  struct Vector: Equatable, Sendable {
    var x: Double
    var y: Double

    var length: Double { (x * x + y * y).squareRoot() }
    static func - (left: Vector, right: Vector) -> Vector { Vector(x: left.x - right.x, y: left.y - right.y) }
    static func + (left: Vector, right: Vector) -> Vector { Vector(x: left.x + right.x, y: left.y + right.y) }
  }

  private(set) var start: Vector
  let startTime: Int64
  private(set) var last: Vector
  /// When the contact lifted.
  private(set) var end: Int64
  /// Whether the contact was ever further from its start than a tap may stray.
  private(set) var hasStrayed = false
  private var corner: Vector
  private var travelled = 0.0

  init(from start: Vector, at time: Int64) {
    self.start = start
    startTime = time
    last = start
    end = time
    corner = start
  }

  /// From where the contact landed to where it is.
  var net: Vector { last - start }

  /// The length of the way travelled, sensor noise left out.
  var path: Double { travelled + (last - corner).length }

  mutating func move(to place: Vector, at time: Int64, limits: TouchLimits) {
    rest(until: time, limits: limits)
    last = place
    rest(until: time, limits: limits)
    let way = (place - corner).length
    if way > limits.grain {
      travelled += way
      corner = place
    }
  }

  /// The device calls the same place by another name from now on: the contact did not move.
  mutating func shift(to place: Vector) {
    let jump = place - last
    start = start + jump
    corner = corner + jump
    last = place
  }

  /// The contact stayed where it is until `time`: devices only report what changes.
  mutating func rest(until time: Int64, limits: TouchLimits) {
    if time.elapsed(since: startTime) ?? 0 >= limits.settling, net.length > limits.stray { hasStrayed = true }
  }

  /// The contact lifted.
  mutating func lift(at time: Int64, limits: TouchLimits) {
    rest(until: time, limits: limits)
    end = time
  }

  /// Whether a contact that lands is this one, which only seemed to lift.
  func isContinued(at place: Vector, _ time: Int64, limits: TouchLimits) -> Bool {
    guard limits.chatter > 0, let pause = time.elapsed(since: end), pause <= limits.chatter else { return false }
    return (place - last).length <= limits.tap
  }
}
