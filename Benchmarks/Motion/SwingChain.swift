package import Gestures

/// The rule that this project began with: four strokes beyond 12 m/s² in turn, each opposite to the last, all along one
/// axis; and not again before 300 ms of quiet.
package struct SwingChain: ShakeCounter {
  private var gravity: Vector?
  private var lastTime: Int64 = 0
  private var chain: [(time: Int64, force: Vector)] = []
  private var open: (time: Int64, force: Vector)?
  private var recent: [(time: Int64, force: Vector)] = []
  private var quietSince: Int64?
  private var isArmed = true
  private var lastShake: Int64 = .min / 2

  package init() {}

  package mutating func counts(_ sample: AccelerationSample) -> Bool {
    guard let pull = gravity else {
      gravity = sample.vector * (standardGravity / max(0.1, sample.vector.length))
      lastTime = sample.time
      return false
    }
    let step = Double(sample.time - lastTime) * 1e-9
    guard step > 0 else { return false }
    if step > 0.25 { (chain, open, quietSince) = ([], nil, nil) }
    lastTime = sample.time
    let force = sample.vector - pull
    let size = force.length
    gravity = pull + force * ((1 - exponential(-step / 0.5)) * min(1, 5 / max(size, 0.001)))
    recent.removeAll { sample.time - $0.time > 1_500_000_000 }
    recent.append((sample.time, force))
    if size < 5 { quietSince = quietSince ?? sample.time } else { quietSince = nil }
    if !isArmed, let quietSince, sample.time - quietSince >= 300_000_000, sample.time - lastShake >= 500_000_000 {
      (isArmed, chain) = (true, [])
    }
    follow(sample.time, force, size)
    return fires(at: sample.time)
  }

  private mutating func follow(_ time: Int64, _ force: Vector, _ size: Double) {
    if let swing = open {
      if size >= 12, force.cosine(to: swing.force) <= -0.6 {
        chain = Self.appending(swing, to: chain)
        open = (time, force)
      } else if size < 6 {
        chain = Self.appending(swing, to: chain)
        open = nil
      } else if size > swing.force.length, force.dot(swing.force) > 0 {
        open = (time, force)
      }
    } else if size >= 12 {
      open = (time, force)
    }
  }

  private static func appending(
    _ swing: (time: Int64, force: Vector), to chain: [(time: Int64, force: Vector)]
  ) -> [(time: Int64, force: Vector)] {
    guard let tail = chain.last else { return [swing] }
    let gap = swing.time - tail.time
    let cosine = swing.force.cosine(to: tail.force)
    if gap > 350_000_000 { return [swing] }
    if cosine <= -0.6, gap >= 40_000_000 { return chain + [swing] }
    if cosine > 0 { return swing.force.length > tail.force.length ? chain.dropLast() + [swing] : chain }
    return [swing]
  }

  private mutating func fires(at time: Int64) -> Bool {
    var strokes = chain
    if let open {
      let longer = Self.appending(open, to: chain)
      if longer.count > chain.count { strokes = longer }
    }
    guard isArmed, strokes.count >= 4 else { return false }
    let last = strokes.suffix(4)
    var axis = Vector.zero
    var sign = 1.0
    for stroke in last {
      axis = axis + stroke.force * sign
      sign = -sign
    }
    axis = axis * (1 / max(axis.length, 0.001))
    var (along, all) = (0.0, 0.0)
    for sample in recent where sample.time >= last[last.startIndex].time {
      let part = sample.force.dot(axis)
      along += part * part
      all += sample.force.squared
    }
    guard all - along <= 0.5 * along else { return false }
    (isArmed, chain, quietSince, lastShake) = (false, [], nil, time)
    return true
  }
}
