/// Notices that the device is in no hand: it falls, or fell a moment ago and still bounces.
struct FreeFall {
  /// What falls feels less than this, in m/s²; tumbling leaves a little.
  private static let most = 2.5
  /// So many steps make a fall, of 11 cm: at its turning points a shake feels as little for a shorter time.
  private static let steps = 15
  /// So many steps after it, it may still bounce and roll.
  private static let bounce = 60

  private var falling = 0
  private var bouncing = 0

  /// Takes what is felt in a step, gravity included; returns whether it is of a fall or of what follows one.
  mutating func take(_ force: Vector) -> Bool {
    falling = force.squared < Self.most * Self.most ? falling + 1 : 0
    bouncing = falling >= Self.steps ? Self.bounce : max(0, bouncing - 1)
    falling = min(falling, Self.steps)
    return bouncing > 0
  }
}
