/// Puts back, as far as can be told, the peaks that the end of the sensor's range cut off: a parabola over the flat part,
/// as steep where it leaves it as the motion was.
///
/// Holds samples back while the range is exceeded, at most for `longest`.
struct PeakRestorer {
  /// In seconds: half a swing at 2 Hz. What stays at the end for longer is no shake.
  private static let longest = 0.25
  private static let capacity = 40
  /// A peak is at most put this much higher, in m/s²: what a restored peak decides is whether it was a firm one.
  private static let most = 30.0

  private var pending: [Felt] = []
  private var next = 0
  private var isReady = false
  /// The last two samples that were given, the later one last.
  private var before: (Felt?, Felt?)

  init() { pending.reserveCapacity(Self.capacity) }

  /// Takes the next sample; `take()` then gives those that are ready.
  mutating func put(_ sample: Felt) {
    pending.append(sample)
    let isOpen = sample.clipped != 0
    let held = sample.time - (pending.first?.time ?? sample.time)
    guard !isOpen || held > Self.longest || pending.count >= Self.capacity else { return }
    if pending.count > 1 { for axis in 0..<3 { restore(axis) } }
    isReady = true
  }

  /// The next sample that is ready.
  mutating func take() -> Felt? {
    guard isReady else { return nil }
    guard next < pending.count else {
      pending.removeAll(keepingCapacity: true)
      (next, isReady) = (0, false)
      return nil
    }
    defer { next += 1 }
    before = (before.1, pending[next])
    return pending[next]
  }

  mutating func reset() {
    pending.removeAll(keepingCapacity: true)
    (next, isReady, before) = (0, false, (nil, nil))
  }

  private mutating func restore(_ axis: Int) {
    let bit = UInt8(1) << UInt8(axis)
    var index = 0
    while index < pending.count {
      guard pending[index].clipped & bit != 0 else {
        index += 1
        continue
      }
      let first = index
      while index < pending.count, pending[index].clipped & bit != 0 { index += 1 }
      restore(axis, first..<index)
    }
  }

  /// Raises the flat part `run` of one axis.
  private mutating func restore(_ axis: Int, _ run: Range<Int>) {
    let flat = pending[run.lowerBound].force[axis]
    let sign = flat < 0 ? -1.0 : 1.0
    // What was before or after is unknown at the ends of what is held: the flat part then begins or ends with itself.
    let left = run.lowerBound > 0 ? pending[run.lowerBound - 1] : before.1
    let further = run.lowerBound > 1 ? pending[run.lowerBound - 2] : run.lowerBound == 1 ? before.1 : before.0
    let right = run.upperBound < pending.count ? pending[run.upperBound] : nil
    let beyond = run.upperBound + 1 < pending.count ? pending[run.upperBound + 1] : nil
    let rise = Self.edge(from: left, further, to: pending[run.lowerBound], axis, sign)
    let fall = Self.edge(from: right, beyond, to: pending[run.upperBound - 1], axis, sign)
    let (start, end) = (rise.time, fall.time)
    guard end > start else { return }
    let height = min(Self.most, max(rise.slope, fall.slope) * (end - start) / 4)
    for index in run {
      let part = min(1, max(0, (pending[index].time - start) / (end - start)))
      pending[index].force[axis] += sign * height * 4 * part * (1 - part)
    }
  }

  /// Where a flank reaches the flat part, and how steep it is there, in m/s² a second.
  private static func edge(
    from near: Felt?, _ far: Felt?, to flat: Felt, _ axis: Int, _ sign: Double
  ) -> (time: Double, slope: Double) {
    guard let near, near.time != flat.time else { return (flat.time, 0) }
    let missing = sign * (flat.force[axis] - near.force[axis])
    var slope = missing / abs(flat.time - near.time)
    if let far, far.time != near.time {
      slope = max(slope, sign * (near.force[axis] - far.force[axis]) / abs(near.time - far.time))
    }
    guard slope > 0 else { return (flat.time, 0) }
    let way = min(abs(flat.time - near.time), max(0, missing) / slope)
    return (near.time + (flat.time > near.time ? way : -way), slope)
  }
}
