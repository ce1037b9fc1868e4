import InputDaemon
import InputTools
import Testing

struct TapAnalysisTests {
  typealias Tap = TapAnalysis.Tap

  /// Taps of 0.09 s with these pauses in milliseconds between them.
  private func taps(_ pauses: [Int64]) -> [Tap] {
    var taps = [Tap(down: 0, up: 90_000_000)]
    for pause in pauses {
      let down = (taps.last?.up ?? 0) + pause * 1_000_000
      taps.append(Tap(down: down, up: down + 90_000_000))
    }
    return taps
  }

  private func analysis(counting: [Int64], doubles: [Int64]) -> TapAnalysis {
    let pairs = doubles.map { pause in
      let pair = taps([pause])
      return (pair[0], pair[1])
    }
    return TapAnalysis(counting: taps(counting), doubles: pairs, standard: 0.4)
  }

  static let advice: [(sentence: String, counting: [Int64], doubles: [Int64], advice: String)] = [
    ("calm counting and quick double-taps need nothing", [900, 700, 1200], [93, 140, 120], "keepDefault"),
    // Slowest double 0.15 and a fifth: 0.18. Fastest count 0.35 less a fifth: 0.28.
    ("quicker counting gets an interval between the two", [350, 400, 380], [93, 150, 120], "interval(0.23)"),
    ("slow double-taps get a longer interval", [1500, 2000, 1800], [441, 500, 380], "interval(0.9)"),
    ("counting at 4.5 a second cannot be told from double-taps", [125, 153, 140, 130], [93, 140, 110], "eager(0.2)"),
    ("counting at 3 a second cannot be told from slow ones", [300, 310, 290], [250, 300, 410], "eager(0.49)"),
    ("no interval below the shortest one is proposed", [200, 210, 220], [60, 70, 80], "eager(0.2)"),
    ("the shortest interval is proposed", [260, 270, 280], [60, 70, 80], "interval(0.2)"),
    ("two pauses of counting prove nothing", [900, 900], [90, 90, 90], "showMore"),
    ("two double-taps prove nothing", [900, 900, 900], [90, 90], "showMore"),
  ]

  @Test(arguments: advice) func `the advice follows from the pauses`(
    sentence: String, counting: [Int64], doubles: [Int64], advice: String
  ) { #expect("\(analysis(counting: counting, doubles: doubles).advice)" == advice, "\(sentence)") }

  @Test func `no examples prove nothing`() {
    #expect(TapAnalysis(counting: [], doubles: [], standard: 0.4).advice == .showMore)
  }

  @Test func `stamps that run backwards are no pause`() {
    let backwards = [Tap(down: 10, up: 20), Tap(down: 5, up: Int64.max), Tap(down: Int64.min, up: 0)]
    let pauses = TapAnalysis(counting: backwards, doubles: [], standard: 0.4).counting
    #expect(pauses.count == 2 && pauses.allSatisfy { $0 >= 0 })
  }

  @Test func `the measured pauses are given shortest first`() {
    #expect(analysis(counting: [900, 700, 1200], doubles: [140, 93]).counting == [0.7, 0.9, 1.2])
    #expect(analysis(counting: [900, 700, 1200], doubles: [140, 93]).doubles == [0.093, 0.14])
  }
}
