import Foundation
@_exported public import Randomness

/// The seed of this run of the tests, and the generators that follow from it.
public enum Seed {
  /// `TALLYMARK_SEED` (decimal), or a fresh seed for each run.
  public static let run: UInt64 = {
    let given = getenv("TALLYMARK_SEED").map { String(cString: $0) } ?? ""
    guard let seed = given.isEmpty ? UInt64.random(in: 0...UInt64.max) : UInt64(given) else {
      fatalError("TALLYMARK_SEED=\(given) is not a decimal number of 64 bits.")
    }
    // A test that crashes records no issue.
    FileHandle.standardError.write(Data("TALLYMARK_SEED=\(seed)\n".utf8))
    return seed
  }()

  /// The generator of a case of a random test. Its numbers depend on ``run`` and `number` only, in whatever order tests
  /// run. A test that uses it is marked `.seeded`.
  public static func generator(case number: some FixedWidthInteger) -> SeededRandom {
    // Neighbouring seeds of SplitMix64 may give overlapping numbers; seeds that another generator gives do not.
    var seeds = SeededRandom(seed: run ^ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
    return SeededRandom(seed: seeds.next())
  }

  /// The generator of a random test with one case.
  public static func generator() -> SeededRandom { generator(case: 0) }
}

// Releases are built with the static standard library, which comes without Testing.
#if canImport(Testing)
  public import Testing

  extension Trait where Self == IssueHandlingTrait {
    /// Marks a test that uses ``Seed``: each of its issues names the seed with which the issue comes again.
    public static var seeded: Self {
      .compactMapIssues { issue in
        var issue = issue
        issue.comments.append("TALLYMARK_SEED=\(Seed.run)")
        return issue
      }
    }
  }
#endif
