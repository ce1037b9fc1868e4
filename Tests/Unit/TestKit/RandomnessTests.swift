import TestKit
import Testing

/// The generated motions of the benchmarks must stay the same.
@Suite(.seeded) struct RandomnessTests {
  @Test func `SplitMix64 gives the numbers of its authors`() {
    var random = SeededRandom(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
    ]
    #expect(expected.map { _ in random.next() } == expected)
  }

  @Test func `numbers equal those of Double.random`() {
    var (own, other) = (Seed.generator(), Seed.generator())
    for _ in 0..<1000 {
      let range = -Double(own.below(9))...Double(own.below(9))
      #expect(-Double(other.below(9))...Double(other.below(9)) == range)
      #expect(own.number(range) == Double.random(in: range, using: &other))
    }
  }

  @Test func `each case has numbers of its own, the same ones each time`() {
    let first = (0..<1000).map { number in
      var random = Seed.generator(case: number)
      return random.next()
    }
    #expect(Set(first).count == 1000)
    var again = Seed.generator(case: 7)
    #expect(again.next() == first[7])
  }

  @Test func `a sample is spread over the range`() {
    for number in 0..<50 {
      let sample = Rounds.sample(1...40, gap: 4, case: number)
      #expect(sample.allSatisfy { 1...40 ~= $0 } && sample.count >= 10)
      #expect(zip(sample, sample.dropFirst()).allSatisfy { $1 - $0 <= 4 })
    }
  }

  @Test func `a sample without a hit is continued until there is one`() {
    for number in 0..<50 {
      var tried: [Int] = []
      let sample = Rounds.sample(1...40, gap: 10, case: number)
      func run(isHit: (Int) -> Bool) -> (tried: Int, hits: Int) {
        tried = []
        return Rounds.untilHit(in: 1...40, gap: 10, case: number) { number in
          tried.append(number)
          return isHit(number)
        }
      }
      #expect(run { _ in true } == (sample.count, sample.count))
      #expect(tried == sample)
      #expect(run { $0 == 17 }.hits == 1)
      #expect(tried.contains(17) && Set(tried).count == tried.count)
      #expect(run { _ in false } == (40, 0))
    }
  }
}
