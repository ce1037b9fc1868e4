import Testing

@testable import TallyCommand

@Suite struct `Waiting for a core that does not answer` {
  @Test(arguments: [(false, 60), (true, 3600)]) func `is said once, and ends`(isLong: Bool, limit: Int) {
    let patience = Patience(isLong: isLong)
    let steps = stride(from: 2, through: limit, by: 2).map { patience.step(after: $0) }
    #expect(steps.first == .remark("The core does not answer. Waiting for at most \(limit - 2) more seconds."))
    #expect(steps.dropFirst().dropLast().allSatisfy { $0 == .wait })
    guard case .end(let text)? = steps.last else {
      Issue.record("It does not end.")
      return
    }
    // Whether the core has counted cannot be known.
    #expect(text.hasPrefix("The core has not answered for \(limit) seconds. It is not known whether it did"))
    #expect(
      patience.step(after: limit, isConnected: false)
        == .end(
          "The core has not answered for \(limit) seconds. Nothing was sent to it yet. “tally doctor” finds out what "
            + "is wrong."))
  }
}
