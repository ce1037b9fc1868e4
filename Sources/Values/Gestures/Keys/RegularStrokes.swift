/// Detects strokes of a key at equal intervals, which a machine makes.
///
/// A knob that sends a key for each pulse, and a program that types, send strokes closer together than the bounce time,
/// at equal intervals and for longer than a switch bounces. The intervals of a bouncing switch are not equal. They look
/// equal if the device samples the switch as often as it bounces, but then it comes to rest within a few edges. Equal
/// intervals longer than two bounce times prove nothing: a hand may press as long as it pauses, and the switch bounces
/// at each release as well.
struct RegularStrokes: Equatable, Sendable {
  struct Stroke: Equatable, Sendable {
    let press: Int64
    /// The time of the release; nil while the key is down.
    var release: Int64?
    var isCounted = false
  }

  private(set) var strokes: [Stroke] = []

  /// Whether the strokes are so regular that a machine makes them.
  private(set) var areRegular = false

  /// The smallest number of strokes, with three equal intervals. Three presses of a bouncing switch have only two.
  private static let fewest = 4
  /// The largest number of strokes that are kept.
  private static let most = 64
  /// The shortest interval. A device with one report per millisecond needs 2 ms for a stroke; a switch may bounce
  /// faster.
  private static let shortest: Int64 = 2_000_000
  /// The largest difference of two successive intervals: the time between two reports of a USB device.
  private static let jitter: Int64 = 1_000_000

  /// - Parameter bounce: the bounce time in nanoseconds, for which strokes must stay regular.
  mutating func press(at time: Int64, bounce: Int64) {
    if !isNext(time) { strokes.removeFirst(max(0, strokes.count - 1)) }
    if strokes.last.map({ $0.release == nil || (time.elapsed(since: $0.press) ?? 0) < Self.shortest }) ?? false {
      strokes = []
    }
    strokes.append(Stroke(press: time))
    func isRegular(from first: Int) -> Bool {
      guard strokes.count - first >= Self.fewest else { return false }
      let length = time.elapsed(since: strokes[first].press) ?? 0
      return length + Self.jitter >= bounce && length / Int64(strokes.count - first - 1) < 2 * bounce
    }
    areRegular = isRegular(from: 0)
    if isRegular(from: 1) || strokes.count > Self.most { strokes.removeFirst() }
  }

  mutating func release(at time: Int64) {
    if !strokes.isEmpty { strokes[strokes.count - 1].release = time }
  }

  /// Marks a stroke as counted; nil for the last one.
  mutating func count(_ index: Int? = nil) {
    if !strokes.isEmpty { strokes[index ?? strokes.count - 1].isCounted = true }
  }

  /// Whether a press comes one interval after the previous stroke.
  private func isNext(_ time: Int64) -> Bool {
    guard strokes.count >= 2, let interval = strokes[1].press.elapsed(since: strokes[0].press),
      let last = strokes.last, let next = time.elapsed(since: last.press)
    else { return true }
    return abs(next - interval) <= min(Self.jitter, interval / 8)
  }
}
