import CoreAPI
import JSON
import Linux
import Testing
import Varlink

@testable import TallyCommand

@Suite struct TourTests {
  private var tour = Tour(counter: "people", canBind: true)

  private func event(_ kind: String) -> EventLine {
    EventLine(.init(["sequence": 3, "kind": .string(kind), "counter": "people", "change": 1, "value": 1]))
  }

  private func texts(_ acts: [Tour.Act]) -> String {
    acts.map { if case .say(let text) = $0 { text } else { "" } }.joined(separator: "\n")
  }

  @Test mutating func `three counts, an undo and Enter lead through it, whoever counts`() {
    #expect(texts(tour.opening).contains("Space counts"))
    #expect(tour.press(.letter(" ")) == [.add])
    #expect(tour.take(event("created")).isEmpty)
    #expect(tour.take(event("added")).isEmpty && tour.take(event("subtracted")).isEmpty)
    #expect(texts(tour.take(event("added"))).contains("tally undo"))
    #expect(tour.press(.letter("u")) == [.undo])
    let watching = tour.take(event("undone"))
    #expect(watching.contains(.history) && texts(watching).contains("tally watch"))
    #expect(tour.take(event("added")).isEmpty)
    let binding = tour.press(.enter)
    #expect(binding.contains(.report) && texts(binding).contains("tally-input learn"))
    #expect(tour.press(.letter("b")) == [.learn])
    #expect(tour.press(.letter(" ")) == [.add] && tour.step == .bind)
    #expect(tour.press(.enter).isEmpty && tour.step == .ended)
  }

  @Test mutating func `Enter leads through it without any count, and q ends it at once`() {
    for step in [Tour.Step.undo, .watch, .bind, .ended] {
      _ = tour.press(.enter)
      #expect(tour.step == step)
    }
    tour = Tour(counter: "people", canBind: false)
    #expect(tour.press(.letter("x")).isEmpty && tour.press(.up).isEmpty && tour.step == .count)
    _ = tour.press(.letter("q"))
    #expect(tour.step == .ended)
  }

  @Test mutating func `without the program nothing is bound`() {
    tour = Tour(counter: "people", canBind: false)
    for _ in 0..<3 { #expect(!texts(tour.press(.enter)).contains("press b")) }
    #expect(tour.step == .bind && tour.press(.letter("b")).isEmpty)
  }
}
