import Feedback
import GestureService
import Testing

struct DeliveryOutcomeTests {
  private func happenings(_ verbs: [String], _ events: (kind: String, change: Int64)...) -> [Occasion] {
    let changes = verbs.map {
      Change(verb: $0, counter: nil, amount: nil, time: 0, device: "pedal", gesture: "press")
    }
    let recorded = events.map { RecordedEvent(kind: $0.kind, counter: "people", change: $0.change, value: 7) }
    return DeliveryOutcome.recorded(recorded).happenings(of: Delivery(changes)).map(\.occasion)
  }

  @Test func `what was recorded is told with its value`() {
    let delivery = Delivery([
      Change(verb: "add", counter: nil, amount: "2", time: 0, device: "pedal", gesture: "press")
    ])
    let event = RecordedEvent(kind: "added", counter: "people", change: 2, value: 7, marks: [.goal])
    #expect(
      DeliveryOutcome.recorded([event]).happenings(of: delivery) == [
        Happening(.added, counter: "people", value: 7, change: 2, marks: [.goal])
      ])
  }

  @Test func `the making of the first counter is no happening of its own`() {
    #expect(happenings(["add"], ("created", 0), ("added", 1)) == [.added])
  }

  @Test func `a double-tap that took back its tap is felt as what it does`() {
    #expect(happenings(["undo", "add"], ("undone", -1), ("added", 10)) == [.added])
    #expect(happenings(["undo", "subtract"], ("undone", -1), ("subtracted", -1)) == [.subtracted])
    #expect(happenings(["undo"], ("undone", -1)) == [.undone])
  }

  @Test(arguments: [
    ("subtract", "subtracted", Occasion.subtracted), ("select", "selected", .selected), ("next", "selected", .selected),
    ("previous", "selected", .selected), ("undo", "undone", .undone), ("redo", "redone", .redone),
    ("reset", "armed", .armed), ("reset", "reset", .reset), ("start", "started", .started),
    ("stop", "stopped", .stopped), ("toggle", "started", .started), ("toggle", "stopped", .stopped),
    ("lap", "lapped", .lapped),
  ])
  func `every verb has its feedback`(_ verb: String, _ kind: String, _ occasion: Occasion) {
    #expect(happenings([verb], (kind, 0)) == [occasion])
  }

  @Test func `kinds that are not known are passed over, and so is an empty answer`() {
    #expect(happenings(["add"], ("counted-in-a-new-way", 1)) == [])
    #expect(happenings(["add"], ("refused", 1), ("boundary", 1)) == [])
    #expect(happenings(["undo"]) == [])
    #expect(happenings([], ("added", 1)) == [])
  }

  @Test func `a refusal is one`() {
    #expect(DeliveryOutcome.refused.happenings(of: delivery(1)) == [Happening(.refused, counter: nil)])
  }
}
