import JSON
import TestKit
import Testing
import Varlink

/// Merges of exports between three cores, with undos and redos, beside a model.
@Suite(.seeded) struct `Merges to and fro` {
  /// The state of a count, an act, in one core before and after an import: the number of its undos and redos by the core that
  /// made it, as far as they are known; -1 if the act is not known.
  private struct Change {
    let before: Int
    let after: Int
    /// The state after the undo of the import, which leaves what cancels out within the import.
    var undone: Int { after - (after - before) % 2 }
  }

  /// A step of a core that an undo takes back.
  private enum Step {
    case act(Int)
    case merge([Int: Change])
  }

  /// What one core holds.
  private struct Model {
    /// The states of the known acts.
    var states: [Int: Int] = [:]
    var steps: [Step] = []
    var undone: [Step] = []

    func value(_ amounts: [Int64]) -> Int64 {
      states.reduce(0) { $0 + ($1.value.isMultiple(of: 2) ? amounts[$1.key] : 0) }
    }

    mutating func take(_ step: Step, isUndone: Bool) {
      switch step {
      case .act(let act): states[act, default: 0] += 1
      case .merge(let changes): set(changes, isUndone: isUndone)
      }
    }

    mutating func set(_ changes: [Int: Change], isUndone: Bool) {
      for (act, change) in changes {
        let state = isUndone ? change.undone : change.after
        states[act] = state < 0 ? nil : state
      }
    }
  }

  private let cores: [TestClient]

  init() throws {
    cores = try (0..<3).map { _ in try TestCore().client() }
    for core in cores { try core.call("Create", ["name": "x"]) }
  }

  private func export(_ core: TestClient) throws -> [JSON] {
    var entries: [JSON] = []
    var parameters: JSONObject = [:]
    while true {
      let reply = try core.call("Export", parameters)
      entries += reply["entries"]?.array ?? []
      guard let next = reply["next"] else { return entries }
      parameters["after"] = next
    }
  }

  /// Merges the export of one core into another; returns the number of new events.
  @discardableResult
  private func merge(_ source: Int, into core: Int) throws -> Int64 {
    try cores[core].call("Import", ["entries": .array(export(cores[source]))])["events"]?.int ?? 0
  }

  private func values() throws -> [Int64?] { try cores.map { try $0.value("x") } }

  @Test(arguments: [(0, 1), (1, 0), (2, 1)])
  func `the undo of a second import takes no counts back where they were made, nor where they came by another way`(
    _ source: Int, _ other: Int
  ) throws {
    let third = 3 - source - other
    try cores[source].call("Add", ["counter": "x", "amount": 5])
    try merge(source, into: other)
    try cores[source].call("Add", ["counter": "x", "amount": 3])
    try merge(source, into: third)
    try merge(source, into: other)
    try cores[other].call("Undo")
    for _ in 0..<2 { for core in [source, third] { try merge(other, into: core) } }
    #expect(try cores[source].value("x") == 8 && cores[third].value("x") == 8)
    #expect(try cores[other].value("x") == 5)
    #expect(try merge(third, into: other) == 1)
    #expect(try values() == [8, 8, 8])
    // The undo of a count goes on where the count is held, whatever import brought it.
    try cores[source].call("Undo")
    for core in [third, other] { try merge(source, into: core) }
    #expect(try values() == [5, 5, 5])
    for (from, to) in [(other, source), (third, other), (source, third)] { #expect(try merge(from, into: to) == 0) }
  }

  @Test(arguments: 1...Rounds.times(4))
  func `each core has what it made and what the imports brought that stand there`(_ number: Int) throws {
    var random = Seed.generator(case: number)
    // Of the acts.
    var amounts: [Int64] = []
    var models = Array(repeating: Model(), count: 3)
    for _ in 0..<Rounds.times(14, atMost: 40) {
      let index = random.below(3)
      let core = cores[index]
      switch random.below(10) {
      case 0...2:
        let amount: Int64 = random.whole(1...9)
        try core.call("Add", ["counter": "x", "amount": .int(amount)])
        models[index].states[amounts.count] = 0
        models[index].steps.append(.act(amounts.count))
        amounts.append(amount)
        models[index].undone = []
      case 3...5:
        let source = (index + random.whole(1...2)) % 3
        let held = models[index].states
        let changes = models[source].states.reduce(into: [Int: Change]()) { changes, act in
          let before = held[act.key] ?? -1
          if act.value > before { changes[act.key] = Change(before: before, after: act.value) }
        }
        // An import without an effect brings nothing.
        guard try merge(source, into: index) > 0 else { break }
        models[index].set(changes, isUndone: false)
        models[index].steps.append(.merge(changes))
        models[index].undone = []
      case 6...8:
        guard let step = models[index].steps.popLast() else { continue }
        try core.call("Undo")
        models[index].take(step, isUndone: true)
        models[index].undone.append(step)
      default:
        guard let step = models[index].undone.popLast() else { continue }
        try core.call("Redo")
        models[index].take(step, isUndone: false)
        models[index].steps.append(step)
      }
      #expect(try values() == models.map { Optional($0.value(amounts)) })
    }
    for index in 0..<3 {
      for source in 0..<3 where source != index {
        try merge(source, into: index)
        #expect(try merge(source, into: index) == 0)
      }
    }
  }
}
