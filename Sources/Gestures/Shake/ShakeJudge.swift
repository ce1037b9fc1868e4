/// Says whether the last strokes are a shake.
struct ShakeJudge {
  /// From here on, as a cosine, strokes go up and down rather than sideways.
  private static let steep = 0.8
  /// Faster than this many times gravity nothing merely falls, allowing for how well gravity is known.
  private static let fall = 1.17
  /// Strokes stronger than this, in m/s², are no hand's: 16 g.
  private static let strongest = 160.0

  /// How strong the weakest stroke of an emphatic shake is at least, as a part of what they must reach on average: a
  /// jerk's recoil is weaker.
  private static let evenness = 0.6
  /// Strokes that follow each other faster than this, in seconds, are faster than any gait's: more than 4.5 Hz. Slower
  /// ones must begin suddenly, or where nothing is known of what was before, be so much stronger than any gait.
  private static let quick = 0.11
  /// A motion across a shake counts as much as this part of it would along the shake: who runs up and down may shake to
  /// and fro, while an arm that swings does not always swing the same way.
  private static let otherways = 0.75
  /// So many strokes are never one too many: two are any jerk.
  private static let fewest = 3

  let parameters: ShakeParameters

  struct Verdict {
    /// When the first of the strokes was at its peak, in seconds.
    let start: Double
    /// Their mean, in m/s².
    let strength: Double
    let strokes: Int
  }

  /// - Parameter gravity: what is felt at rest.
  func verdict(on chain: StrokeChain, against background: Background, gravity: Vector) -> Verdict? {
    let count = parameters.strokes
    if let verdict = verdict(count, of: chain, strength: parameters.strength, evenness: 0, background, gravity) {
      return verdict
    }
    guard count > Self.fewest, background.isKnown, isRest(background) else { return nil }
    return verdict(
      count - 1, of: chain, strength: parameters.strength * parameters.emphasis, evenness: Self.evenness, background,
      gravity)
  }

  /// Judges the last `count` strokes.
  private func verdict(
    _ count: Int, of chain: StrokeChain, strength least: Double, evenness: Double, _ background: Background,
    _ gravity: Vector
  ) -> Verdict? {
    let weight = gravity.length
    guard chain.count >= count, weight > 0 else { return nil }
    let first = chain.stroke(fromEnd: count - 1)
    var (axis, sum, sign, weakest) = (Vector.zero, 0.0, 1.0, Double.infinity)
    var (falling, falls) = (0.0, 0.0)
    for index in (0..<count).reversed() {
      let stroke = chain.stroke(fromEnd: index)
      axis = axis + stroke.force * sign
      sum += stroke.strength
      weakest = min(weakest, stroke.strength)
      sign = -sign
      let rising = stroke.force.dot(gravity) / weight
      if rising < 0 {
        falling -= rising
        falls += 1
      }
    }
    guard axis.length > 0 else { return nil }
    axis = axis * (1 / axis.length)
    let strength = sum / Double(count)
    let strokeLength = (chain.stroke(fromEnd: 0).time - first.time) / Double(count - 1)
    let slowness = max(1, strokeLength / parameters.unhurried)
    // While somebody walks, slow strokes are most likely steps.
    var needed = max(
      least * (isRest(background) ? slowness : slowness * slowness), prominent(from: background.energy, along: axis))
    if let before = chain.before {
      if strokeLength > Self.quick { needed = max(needed, prominent(from: before, along: axis)) }
    } else {
      let slow = max(1, strokeLength / Self.quick)
      needed = max(needed, least * slow * slow)
    }
    guard strength >= needed, weakest >= least * evenness, strength <= Self.strongest else {
      return nil
    }
    // A runner's body goes up and down along one axis too, but between two steps it is only let go of and falls, which
    // is felt as 1 g and no more. A hand that shakes up and down pulls.
    guard abs(axis.dot(gravity)) <= Self.steep * weight || falling >= falls * Self.fall * weight else { return nil }
    let energy = chain.energy - first.energy
    let along = energy.along(axis)
    guard energy.all - along <= parameters.roundness * along else { return nil }
    return Verdict(start: first.time, strength: strength, strokes: count)
  }

  private func isRest(_ background: Background) -> Bool { background.energy.strength <= parameters.quiet }

  /// How strong a shake must be to stand out from a motion, in m/s²: an emphatic one needs to do so along its own axis
  /// only.
  private func prominent(from motion: Spread, along axis: Vector) -> Double {
    let alike = max(motion.along(axis), Self.otherways * motion.all)
    let emphatic = max(
      parameters.strength * parameters.emphasis, parameters.prominence * Spread.strength(of: alike))
    return min(parameters.prominence * motion.strength, emphatic)
  }
}
