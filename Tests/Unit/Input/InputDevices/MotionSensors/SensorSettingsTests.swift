import InputDevices
import Testing

/// What a sensor is asked for.
@Suite struct SensorSettingsTests {
  static let rates: [(available: String, rate: Double?)] = [
    ("12.5 25 50 100 200", 100), ("62.5 125 250", 125), ("95 400", 95), ("50 200", 200), ("1 10 25", 25),
    ("0 400 800", 400), ("[0.781 0.001 100]", 100), ("[1 1 50]", 50), ("[200 1 800]", 200), ("0.781000", 0.781),
    ("", nil), ("fast", nil), ("[]", nil), ("[9 1 2]", nil), ("nan inf", nil), ("-100 0", nil),
  ]

  @Test(arguments: rates) func `the rate nearest to 100 Hz is chosen`(available: String, rate: Double?) {
    #expect(SensorSettings.rate(among: available) == rate)
  }

  static let scales: [(available: String, current: String, scale: String?)] = [
    // kxcjk-1013: 2, 4 and 8 g.
    ("0.009582 0.019163 0.038326", "0.019163", "0.038326"),
    ("0.009582 0.019163 0.038326", "0.038326", nil),
    // Of 2, 4, 8 and 16 g the second widest.
    ("0.009582 0.019163 0.038326 0.076652", "0.009582", "0.038326"),
    ("0.009582", "0.009582", nil), ("", "0.009582", nil), ("0 nan inf", "0.009582", nil), ("0.01", "none", nil),
  ]

  @Test(arguments: scales) func `the range is wide enough for a hand, and no wider`(
    available: String, current: String, scale: String?
  ) throws {
    let element = try ScanElement("le:s12/16>>4")
    #expect(SensorSettings.scale(among: available, current: current, element: element) == scale)
  }

  @Test(arguments: [12.5, 25, 26, 50, 95, 100, 104, 125, 200, 400, 1000, 1600])
  func `a buffer wakes at most 25 times a second, and nothing waits for 40 ms`(rate: Double) {
    let plan = BufferPlan(rate: rate)
    #expect(rate / Double(plan.watermark) <= 25)
    #expect(plan.pace >= 40_000_000 && plan.pace <= max(40_000_000, plan.period))
    #expect(Double(plan.watermark - 1) / rate < 0.04)
    #expect(plan.silence >= 500_000_000 && plan.silence >= 10 * plan.period)
  }

  @Test(arguments: [nil, 0, -1, .nan, .infinity, 1e300, 1e-300] as [Double?])
  func `a rate that cannot be is borne`(rate: Double?) {
    let plan = BufferPlan(rate: rate)
    #expect((1...BufferPlan.length).contains(plan.watermark) && plan.period > 0)
  }

  // MARK: Times

  @Test func `a sensor's own stamps are kept`() {
    var clock = SampleClock(period: 10_000_000, isTrusted: true)
    #expect(clock.time(stamp: 990_000_000, behind: 1, now: 1_005_000_000) == 990_000_000)
    #expect(clock.time(stamp: 1_000_000_000, behind: 0, now: 1_005_000_000) == 1_000_000_000)
  }

  @Test func `stamps of another clock, or made up, are replaced by the time of reading`() {
    var clock = SampleClock(period: 10_000_000, isTrusted: true)
    for stamp in [1_763_700_000_000_000_000, 0, -5, .max, .min, nil] as [Int64?] {
      #expect(clock.time(stamp: stamp, behind: 0, now: 60_000_000_000) == 60_000_000_000)
    }
    var other = SampleClock(period: 10_000_000, isTrusted: false)
    let times = (0..<4).reversed().map { other.time(stamp: 5, behind: $0, now: 60_000_000_000) }
    #expect(times == [59_970_000_000, 59_980_000_000, 59_990_000_000, 60_000_000_000])
  }

  @Test func `times made up never go back`() {
    var clock = SampleClock(period: 10_000_000, isTrusted: false)
    var last = Int64.min
    for now in [1_000_000_000, 1_005_000_000, 1_020_000_000, 1_300_000_000] as [Int64] {
      for behind in (0..<4).reversed() {
        let time = clock.time(stamp: nil, behind: behind, now: now)
        #expect(time > last && time <= now)
        last = time
      }
    }
  }
}
