import CoreAPI
import CoreService
import Testing
import Varlink

@Suite struct RefusalTests {
  private static let reasons: [Counters.Refusal.Reason] = [
    .permissionDenied(right: "count"), .noSuchCounter(name: "a"), .badArchive, .noCurrentCounter,
    .badName(name: "a", reason: "r"), .badTitle(reason: "r"), .badAmount(amount: 0),
    .badQuantity(quantity: "x", reason: "r"), .counterExists(name: "a"), .limitReached(name: "a", limit: 5),
    .badSetting(setting: "s", reason: "r"), .locked(name: "a"), .noSuchGroup(name: "g"), .groupExists(name: "g"),
    .noSuchFormula(name: "f"), .formulaExists(name: "f"), .badFormula(formula: "1 +", position: 3),
    .archived(name: "a"), .notStopwatch(name: "a"), .alreadyRunning(name: "a"), .notRunning(name: "a"),
    .noSuchEvent(sequence: 4),
    .overflow(name: "a", value: 1, change: 2), .nothingToUndo, .nothingToRedo, .deliveryGap(expected: 3),
    .producerFenced(epoch: 2), .unknownEpoch, .deliveryForgotten, .noAnswer(station: "door2"),
    .storageFailed,
  ]

  @Test(arguments: reasons) func `an error is the same at the other end`(reason: Counters.Refusal.Reason) throws {
    let refusal = Counters.Refusal(reason, message: "A sentence.")
    try Interface(CountersInterface.description).validate(refusal.error)
    #expect(refusal.error.name == refusal.name.qualifiedName)
    #expect(Counters.Refusal(refusal.error) == refusal)
  }

  @Test func `errors of others are not refusals`() {
    #expect(Counters.Refusal(VarlinkError.permissionDenied) == nil)
    #expect(Counters.Refusal(VarlinkError("org.tallymark.Counters.Unheard")) == nil)
    #expect(Counters.Refusal(VarlinkError("org.tallymark.CountersLocked")) == nil)
  }

  @Test func `missing parameters read as empty`() {
    let refusal = Counters.Refusal(VarlinkError(Counters.ErrorName.limitReached.qualifiedName))
    #expect(refusal?.reason == .limitReached(name: "", limit: 0))
  }
}
