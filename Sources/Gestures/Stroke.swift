/// The way of one contact over the surface, kept as the few numbers that the judgement needs.
struct Stroke: Equatable, Sendable {
  /// A place or a way in the surface's unit.
  struct Vector: Equatable, Sendable {
    var x: Double
    var y: Double

    var length: Double { (x * x + y * y).squareRoot() }
    static func - (left: Vector, right: Vector) -> Vector { Vector(x: left.x - right.x, y: left.y - right.y) }
  }

  let start: Vector
  let startTime: Int64
  private(set) var last: Vector
  /// Whether the contact was ever further from its start than a tap may stray.
  private(set) var hasStrayed = false
  private var corner: Vector
  private var travelled = 0.0

  init(from start: Vector, at time: Int64) {
    self.start = start
    startTime = time
    last = start
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

  /// The contact stayed where it is until `time`: devices only report what changes.
  mutating func rest(until time: Int64, limits: TouchLimits) {
    if time.elapsed(since: startTime) ?? 0 >= limits.settling, net.length > limits.stray { hasStrayed = true }
  }
}

extension Int64 {
  /// The time that passed from an earlier stamp to this one; nil where this one is the earlier one, for then nothing
  /// can be said of the time that passed.
  func elapsed(since earlier: Int64) -> Int64? {
    let (difference, overflow) = subtractingReportingOverflow(earlier)
    return overflow || difference < 0 ? nil : difference
  }
}
