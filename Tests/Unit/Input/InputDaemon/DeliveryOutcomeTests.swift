import CoreAPI
import Feedback
import InputDaemon
import JSON
import Testing

struct DeliveryOutcomeTests {
  private func outcomes(_ verbs: [String], _ events: (kind: String, change: Int64)...) -> [FeedbackEvent] {
    let recorded = events.map { event($0.kind, of: "people", change: $0.change) }
    return DeliveryOutcome.recorded(recorded).outcomes(of: Delivery(verbs.map { change($0) })).map(\.event)
  }

  private func event(_ kind: String, of counter: String, change: Int64 = 0) -> Counters.Event {
    Counters.Event(["kind": .string(kind), "counter": .string(counter), "change": .int(change), "value": 7])
  }

  @Test func `what was recorded is told with its value`() {
    var event = event("added", of: "people", change: 2)
    event[.reached] = true
    #expect(
      DeliveryOutcome.recorded([event]).outcomes(of: delivery(1)) == [
        Outcome(.added, counter: "people", value: 7, change: 2, marks: [.goal])
      ])
  }

  @Test func `the making of the first counter is no outcome of its own`() {
    #expect(outcomes(["add"], ("created", 0), ("added", 1)) == [.added])
  }

  @Test func `a double-tap that took back its tap is felt as what it does`() {
    #expect(outcomes(["undo", "add"], ("undone", -1), ("added", 10)) == [.added])
    #expect(outcomes(["undo", "subtract"], ("undone", -1), ("subtracted", -1)) == [.subtracted])
    #expect(outcomes(["undo"], ("undone", -1)) == [.undone])
  }

  @Test func `of changes that were made together each is felt, and what they took back is not`() {
    let changes = [change("undo"), change("stop"), change("start", isTogether: true)]
    let recorded = ["undone", "stopped", "started"].map { event($0, of: "anna") }
    let outcomes = DeliveryOutcome.recorded(recorded).outcomes(of: Delivery(changes))
    #expect(outcomes.map(\.event) == [.stopped, .started])
  }

  @Test(arguments: [
    ("subtract", "subtracted", FeedbackEvent.subtracted), ("select", "selected", .selected),
    ("next", "selected", .selected),
    ("previous", "selected", .selected), ("undo", "undone", .undone), ("redo", "redone", .redone),
    ("reset", "armed", .armed), ("reset", "reset", .reset), ("start", "started", .started),
    ("stop", "stopped", .stopped), ("toggle", "started", .started), ("toggle", "stopped", .stopped),
    ("add", "started", .started), ("add", "stopped", .stopped),
    ("lap", "lapped", .lapped),
  ])
  func `every verb has its feedback`(_ verb: String, _ kind: String, _ event: FeedbackEvent) {
    #expect(outcomes([verb], (kind, 0)) == [event])
  }

  @Test func `kinds that are not known are passed over, and so is an empty answer`() {
    #expect(outcomes(["add"], ("counted-in-a-new-way", 1)) == [])
    #expect(outcomes(["add"], ("refused", 1), ("boundary", 1)) == [])
    #expect(outcomes(["undo"]) == [])
    #expect(outcomes([], ("added", 1)) == [])
  }

  @Test func `a refusal is one`() {
    #expect(DeliveryOutcome.refused.outcomes(of: delivery(1)) == [Outcome(.refused, counter: nil)])
  }
}
