import Glibc
import Randomness

/// The number of rounds of random and exhaustive tests.
public enum Rounds {
  /// `TALLYMARK_TEST_ROUNDS`: a factor for every random or exhaustive test. The usual 1 fits a person who waits.
  public static let factor: Double = {
    guard let given = getenv("TALLYMARK_TEST_ROUNDS").map({ String(cString: $0) }), !given.isEmpty else { return 1 }
    guard let factor = Double(given), factor > 0, factor <= 1_000_000 else {
      fatalError("TALLYMARK_TEST_ROUNDS=\(given) is not a factor, such as 10.")
    }
    return factor
  }()

  /// `usual` times ``factor``, and at least 1.
  public static func times(_ usual: Int) -> Int { max(1, Int(Double(usual) * factor)) }

  /// Likewise, and at most `most`: for the length of a random test.
  public static func times(_ usual: Int, atMost most: Int) -> Int { min(times(usual), most) }

  /// A sample of `range`: numbers `gap` apart, the first at random. A ``factor`` of `gap` or more selects all numbers.
  ///
  /// - Parameter number: The case of a ``Seed``.
  public static func sample(_ range: ClosedRange<Int>, gap: Int, case number: Int = 0) -> [Int] {
    let gap = min(range.count, max(1, Int(Double(gap) / factor)))
    var random = Seed.generator(case: number)
    return Array(stride(from: range.lowerBound + random.below(gap), through: range.upperBound, by: gap))
  }

  /// Runs `body` with a ``sample(_:gap:case:)`` of `range`, and then with its other numbers, in random order, until `body`
  /// has returned `true` once. For faults of which some make no difference: a short sample of them may show nothing.
  ///
  /// - Returns: How many numbers were tried, and for how many of them `body` returned `true`.
  public static func untilHit(
    in range: ClosedRange<Int>, gap: Int, case number: Int = 0, _ body: (Int) throws -> Bool
  ) rethrows -> (tried: Int, hits: Int) {
    let sample = sample(range, gap: gap, case: number)
    var random = Seed.generator(case: number)
    let others = range.filter { !sample.contains($0) }.shuffled(using: &random)
    var (tried, hits) = (0, 0)
    for number in sample + others where tried < sample.count || hits == 0 {
      tried += 1
      if try body(number) { hits += 1 }
    }
    return (tried, hits)
  }
}
