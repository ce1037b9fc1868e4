package import Gestures

/// Judges from a person's taps whether their double-taps can be distinguished from their counting, and by which
/// interval.
///
/// Counting and double-taps differ in the pause from the end of a tap to the beginning of the next one. Everything else
/// (duration and force of a tap) differs more from day to day than between the two.
package struct TapAnalysis: Equatable {
  /// One tap or press: the times of its beginning and end, in nanoseconds.
  package struct Tap: Equatable, Sendable {
    package let down: Int64
    package let up: Int64

    package init(down: Int64, up: Int64) {
      self.down = down
      self.up = up
    }
  }

  package enum Advice: Equatable {
    /// The default interval distinguishes single taps from double-taps.
    case keepDefault
    /// This interval distinguishes single taps from double-taps, in seconds.
    case interval(Double)
    /// No interval distinguishes the two: taps must count at once, and a double-tap undoes its first tap. The value is
    /// the interval for the second tap, in seconds.
    case eager(Double)
    /// There were too few taps.
    case showMore
  }

  /// The pauses between single taps, in seconds, shortest first.
  package let counting: [Double]
  /// The pauses within double-taps, in seconds, shortest first.
  package let doubles: [Double]
  package let advice: Advice

  /// The variation of a hand from day to day: a pause may become shorter or longer by a fifth.
  private static let variation = 0.2
  /// The intervals that can be recommended, in seconds.
  private static let range = 0.2...1.0

  /// - Parameters:
  ///   - counting: the taps of counting, in order.
  ///   - doubles: the double-taps, each with its two taps.
  ///   - standard: the default interval in seconds.
  package init(counting: [Tap], doubles: [(Tap, Tap)], standard: Double) {
    self.counting = zip(counting, counting.dropFirst()).map(Self.pause).sorted()
    self.doubles = doubles.map(Self.pause).sorted()
    advice = Self.advice(self.counting, self.doubles, standard)
  }

  private static func advice(_ counting: [Double], _ doubles: [Double], _ standard: Double) -> Advice {
    guard let fastest = counting.first, let slowest = doubles.last, counting.count >= 3, doubles.count >= 3 else {
      return .showMore
    }
    let from = slowest * (1 + variation)
    let to = fastest * (1 - variation)
    let shortest = range.lowerBound
    guard from <= to, to >= shortest else {
      return .eager(rounded(min(max(from, shortest), range.upperBound)))
    }
    if (from...to).contains(standard) { return .keepDefault }
    return .interval(rounded(min(max((from + to) / 2, shortest), range.upperBound)))
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }

  private static func pause(_ first: Tap, _ second: Tap) -> Double {
    Double(max(0, second.down &- first.up)) / 1e9
  }
}

/// The times at which a person tapped or pressed, read from the frames of one device without a recogniser, so that the
/// measurement does not depend on the settings to be found.
package struct TapTimes: Equatable {
  private var code: UInt16?
  private var down: Int64 = 0

  /// Whether the last measurement was a touch rather than a key.
  package private(set) var isTouch = false

  package init() {}

  /// Whether a finger or a key is down now.
  package var isDown: Bool { code != nil }

  /// Handles a frame; returns the taps that ended in it.
  package mutating func take(_ frame: Frame) -> [TapAnalysis.Tap] {
    if frame.isResync {
      code = nil
      return []
    }
    var taps: [TapAnalysis.Tap] = []
    for event in frame.events where event.type == EventCode.EV_KEY {
      guard event.code == EventCode.BTN_TOUCH || !EventCode.isTouchState(event.code) else { continue }
      if event.value == 1, code == nil {
        code = event.code
        down = frame.time
      } else if event.value == 0, code == event.code {
        code = nil
        isTouch = event.code == EventCode.BTN_TOUCH
        taps.append(TapAnalysis.Tap(down: down, up: frame.time))
      }
    }
    return taps
  }
}
