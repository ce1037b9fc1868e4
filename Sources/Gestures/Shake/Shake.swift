/// A person shook the device: told once, as soon as it is certain, however long the shaking then goes on.
public struct Shake: Equatable, Sendable {
  /// The stamp of the sample that made it certain, in nanoseconds.
  public let time: Int64

  /// When the first of the strokes that made it certain was at its strongest, in nanoseconds.
  public let start: Int64

  /// How strong it was by then: the mean of those strokes' greatest accelerations so far, without gravity, in m/s².
  public let strength: Double

  /// How many strokes it took to be certain, each opposite to the one before.
  public let swings: Int

  public init(time: Int64, start: Int64, strength: Double, swings: Int) {
    self.time = time
    self.start = start
    self.strength = strength
    self.swings = swings
  }
}
