import Gestures
import InputDaemon
import InputTools
import Testing

/// What `tune` says of a person's shakes.
struct ShakeTrialTests {
  /// A trial in which somebody shakes so strongly, 4 times a second, for a second each time.
  private func results(_ strengths: [Double]) -> [ShakeTrial.Result] {
    var trial = ShakeTrial()
    var step = 0
    for strength in strengths {
      for index in 0..<400 {
        let turns = Double(index - 200) * 0.04
        let part = turns - turns.rounded(.down)
        let swing = part < 0.25 ? part * 4 : part < 0.75 ? 2 - part * 4 : part * 4 - 4
        let x = (200..<300).contains(index) ? strength * swing : 0
        step += 1
        _ = trial.take(AccelerationSample(time: Int64(step) * 10_000_000, x: x, y: 0, z: 9.80665))
      }
    }
    // The last bout is over only after its rest.
    return trial.results
  }

  @Test func `each shake is told with the thresholds beside it and what it counts by`() throws {
    let result = try #require(results([18]).first)
    #expect(result.counting.contains(.light) && result.counting.contains(.firm))
    let text = ShakeTrial.text(result, number: 1)
    #expect(text.hasPrefix("1: ") && text.contains("(10)") && text.contains("counts if light, firm"))
  }

  @Test func `what somebody should set follows from the weakest`() {
    #expect(ShakeTrial.advice(results([18, 20, 17])) == "The default, firm, fits. Nothing needs to be set.")
    #expect(ShakeTrial.advice(results([50, 45])).hasSuffix("[shake]\nsensitivity = \"hard\""))
    #expect(ShakeTrial.advice(results([18, 9.7])).hasSuffix("[shake]\nsensitivity = \"light\""))
    let weak = ShakeTrial.advice(results([6.3, 18]))
    #expect(weak.contains("[shake]\nstrength = "))
  }

  @Test func `a hand that only holds the device is no shake`() { #expect(results([3, 2]).isEmpty) }
}
