/// Tells gravity from motion: what is felt on average is gravity.
struct GravityFilter {
  /// Over how long it is averaged, in seconds.
  private static let span = 0.5
  /// What differs by more than this, in m/s², pulls the average no harder: a shake hardly moves it, while a device that
  /// is turned is followed.
  private static let most = 5.0
  /// So many steps at first are averaged evenly: what was felt first of all may have been a stroke.
  private static let first = 15.0

  private static let standard = 9.80665

  private var gravity: Vector?
  private var sum = Vector.zero
  private var steps = 0.0

  /// What is felt at rest: away from the ground, in m/s² as the sensor sees it. Falling is felt as its opposite.
  var atRest: Vector { gravity ?? .zero }

  /// What is left of a step without gravity.
  mutating func motion(in force: Vector) -> Vector {
    if steps < Self.first {
      steps += 1
      sum = sum + force
      let length = sum.length
      gravity = length > 0 ? sum * (Self.standard / length) : .zero
    }
    let pull = atRest
    let motion = force - pull
    if steps < Self.first { return motion }
    let length = motion.length
    let pulling = length > Self.most ? Self.most / length : 1
    gravity = pull + motion * (EvenSteps.step / Self.span * pulling)
    return motion
  }
}
