/// What an accelerometer felt at one moment, gravity included.
public struct AccelerationSample: Equatable, Sendable {
  /// The sensor's stamp, in nanoseconds of `CLOCK_BOOTTIME`, or of a recording's own time.
  public let time: Int64

  /// In m/s², along the sensor's own axes.
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
