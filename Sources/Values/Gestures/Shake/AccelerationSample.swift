/// A measured acceleration at one moment, gravity included.
public struct AccelerationSample: Equatable, Sendable {
  /// The sensor's stamp, in nanoseconds of `CLOCK_BOOTTIME` or of a recording's clock.
  public let time: Int64

  /// The acceleration in m/s², along the sensor's axes.
  public let x: Double
  public let y: Double
  public let z: Double

  public init(time: Int64, x: Double, y: Double, z: Double) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
  }

  package init(time: Int64, _ vector: Vector) {
    self.init(time: time, x: vector.x, y: vector.y, z: vector.z)
  }

  package var vector: Vector { Vector(x, y, z) }
}

/// A direction and a length in space: an acceleration in m/s² along a sensor's axes.
package struct Vector: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  package static let zero = Vector(0, 0, 0)

  package var squared: Double { x * x + y * y + z * z }
  package var length: Double { squared.squareRoot() }

  package func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  package static func + (a: Vector, b: Vector) -> Vector { Vector(a.x + b.x, a.y + b.y, a.z + b.z) }
  package static func - (a: Vector, b: Vector) -> Vector { Vector(a.x - b.x, a.y - b.y, a.z - b.z) }
  package static func * (a: Vector, factor: Double) -> Vector { Vector(a.x * factor, a.y * factor, a.z * factor) }
}

/// An acceleration at a time, in seconds since the last restart of the recogniser.
struct TimedForce {
  var time: Double
  /// The acceleration in m/s², gravity included.
  var force: Vector
}

/// Averages the samples of a fast sensor over 8 ms, which bounds the work per second. Samples of 100 Hz and slower
/// sensors pass unchanged.
struct Decimator {
  /// The time that is averaged, in seconds: a little less than the sample period of a 100 Hz sensor.
  private static let span = 0.008

  private var first = 0.0
  private var timeSum = 0.0
  private var forceSum = Vector.zero
  private var count = 0.0

  /// Adds the next sample; returns the average of the samples before it once they cover the span.
  mutating func take(_ sample: TimedForce) -> TimedForce? {
    var average: TimedForce?
    if count > 0, sample.time - first >= Self.span {
      average = TimedForce(time: first + timeSum / count, force: forceSum * (1 / count))
      (timeSum, forceSum, count) = (0, .zero, 0)
    }
    if count == 0 { first = sample.time }
    timeSum += sample.time - first
    forceSum = forceSum + sample.force
    count += 1
    return average
  }
}
