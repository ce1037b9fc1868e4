import GestureService
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

  @Test func `calm counting and quick double-taps need nothing`() {
    #expect(analysis(counting: [900, 700, 1200], doubles: [93, 140, 120]).advice == .keepDefault)
  }

  @Test func `quicker counting gets an interval between the two`() {
    // Slowest double 0.15 and a fifth: 0.18. Fastest count 0.35 less a fifth: 0.28.
    #expect(analysis(counting: [350, 400, 380], doubles: [93, 150, 120]).advice == .interval(0.23))
  }

  @Test func `slow double-taps get a longer interval`() {
    #expect(analysis(counting: [1500, 2000, 1800], doubles: [441, 500, 380]).advice == .interval(0.9))
  }

  @Test func `counting at 4.5 a second cannot be told from double-taps`() {
    #expect(analysis(counting: [125, 153, 140, 130], doubles: [93, 140, 110]).advice == .eager(0.2))
    #expect(analysis(counting: [300, 310, 290], doubles: [250, 300, 410]).advice == .eager(0.49))
  }

  @Test func `no interval below the shortest one is proposed`() {
    #expect(analysis(counting: [200, 210, 220], doubles: [60, 70, 80]).advice == .eager(0.2))
    #expect(analysis(counting: [260, 270, 280], doubles: [60, 70, 80]).advice == .interval(0.2))
  }

  @Test func `one or two examples prove nothing`() {
    #expect(analysis(counting: [900, 900], doubles: [90, 90, 90]).advice == .showMore)
    #expect(analysis(counting: [900, 900, 900], doubles: [90, 90]).advice == .showMore)
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
