import Fleet
import Randomness

/// A list of steps that follow from a seed. Each step has random numbers of its own, so that a step does the same after
/// others are left out.
struct Schedule: CustomStringConvertible {
  enum Kind: CaseIterable {
    case press, late, undo, redo, correct, reset, command
    case deliver, tell, commit, connect, disconnect
    case truncate, forge
    case saveBroker, rollBackBroker, wipeBroker
    case kill, boot, image, restore, clone, burn, clock

    var weight: Int {
      switch self {
      case .press: 30
      case .deliver: 25
      case .connect: 6
      case .tell, .reset, .undo: 4
      case .late, .kill, .image, .restore, .commit, .command: 3
      case .redo, .correct, .boot, .clone, .saveBroker, .rollBackBroker, .disconnect: 2
      case .truncate, .forge, .wipeBroker, .burn, .clock: 1
      }
    }

    static let weighted = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
  }

  struct Step {
    let kind: Kind
    let seed: UInt64
  }

  let machines: Int
  let ring: Bool
  var steps: [Step]

  init(_ random: inout SeededRandom) {
    machines = random.whole(2...6)
    ring = random.below(2) == 0
    // Forgeries make some checks impossible, so most schedules have none.
    let kinds = random.below(4) == 0 ? Kind.weighted : Kind.weighted.filter { $0 != .forge }
    steps = (0..<random.whole(40...160)).map { _ in
      Step(kind: kinds[random.below(kinds.count)], seed: random.next())
    }
  }

  /// The invariant that the schedule breaks; `nil` for none.
  func violation(_ flaw: Flaw? = nil) -> Violation? {
    var world = World(machines: machines, flaw: flaw)
    do {
      for step in steps { try world.run(step) }
      try world.settle(ring: ring)
      return nil
    } catch {
      return error as? Violation ?? Violation(invariant: "I5", text: "\(error)")
    }
  }

  /// The schedule without the steps that the violation does not need.
  func shrunk(_ flaw: Flaw? = nil) -> Schedule {
    var least = self
    let invariant = violation(flaw)?.invariant
    var length = steps.count / 2
    while length > 0 {
      var start = 0
      var isShorter = false
      while start < least.steps.count {
        var shorter = least
        shorter.steps.removeSubrange(start..<min(start + length, least.steps.count))
        if shorter.violation(flaw)?.invariant == invariant {
          (least, isShorter) = (shorter, true)
        } else {
          start += length
        }
      }
      if length > 1 || !isShorter { length /= 2 }
    }
    return least
  }

  var description: String {
    "\(machines) machines\(ring ? " in a ring" : ""): " + steps.map { "\($0.kind)(\($0.seed))" }.joined(separator: ", ")
  }
}

extension World {
  mutating func run(_ step: Schedule.Step) throws {
    random = SeededRandom(seed: step.seed)
    now += random.whole(1...20)
    let index = random.below(machines.count)
    let broker = random.below(brokers.count)
    switch step.kind {
    case .press, .late, .undo, .redo, .correct, .reset, .command:
      try act(step.kind, index)
    case .deliver:
      start(index)
      for _ in 0..<random.whole(1...6) where !machines[index].inbox.isEmpty {
        let position = random.below(machines[index].inbox.count)
        let envelope = machines[index].inbox[position]
        // Some messages come again.
        if random.below(8) > 0 { machines[index].inbox.remove(at: position) }
        try receive(index, envelope)
      }
    case .truncate:
      guard let envelope = machines[index].inbox.first else { break }
      let bytes = envelope.bytes
      let part = Array(bytes.prefix(random.below(bytes.count)))
      if (try? Message(parsing: part)) != nil { throw Violation(invariant: "I1", text: "half a message was accepted") }
    case .forge: forge(index)
    case .tell: tell(index)
    case .commit:
      start(index)
      if let memory = machines[index].memory { try commit(index, memory) }
    case .connect:
      start(index)
      connect(index, to: broker)
    case .disconnect: connect(index, to: nil)
    case .saveBroker: brokers[broker].saved = brokers[broker].retained
    case .rollBackBroker: restart(broker, with: brokers[broker].saved)
    case .wipeBroker: restart(broker, with: [:])
    case .kill:
      kill(index)
      start(index)
    case .boot: boot(index)
    case .image: images.append(machines[index].disk)
    case .restore:
      guard !images.isEmpty else { break }
      kill(index)
      machines[index].disk = images[random.below(images.count)]
      machines[index].claims = Ghost()
      if random.below(2) == 0 { boot(index) }
    case .clone:
      guard machines.count < 9 else { break }
      machines.append(Machine(name: machines[index].name, disk: machines[index].disk, broker: broker))
      boot(machines.count - 1)
    case .burn: if machines.count > 1 { machines.remove(at: index) }
    case .clock: machines[index].clock = [0, 400, -400, 31_536_000][random.below(4)]
    }
    if index < machines.count { try check(index) }
  }

  private mutating func act(_ kind: Schedule.Kind, _ index: Int) throws {
    let stop = Stop(rawValue: random.below(12)) ?? .never
    let time = now + machines[index].clock - (kind == .late ? random.whole(0...900) : 0)
    let period =
      random.below(2) == 0
      ? CounterPeriod(Self.counters[0]) : CounterPeriod(Self.counters[1], start: time / 600 * 600)
    let change: Int64 = [1, 1, 1, 2, -1][random.below(5)]
    let resets = oracle.resets
    try act(index, until: stop) { (disk, random) throws(ActError) in
      switch kind {
      case .undo:
        guard let last = disk.undoable.popLast() else { return nil }
        disk.redoable.append(last)
        switch last {
        case .count(let change, let period): return try Self.count(-change, in: period, &disk, &random)
        case .reset(let entry, let period):
          try disk.station.undo(entry, of: period)
          return .undone(entry, period)
        }
      case .redo:
        guard let last = disk.redoable.popLast() else { return nil }
        switch last {
        case .count(let change, let period):
          disk.undoable.append(last)
          return try Self.count(change, in: period, &disk, &random)
        case .reset(let entry, let period):
          let marks = resets[entry]?.marks ?? [:]
          let again = try disk.station.redo(entry, of: period, as: Self.next(&disk, &random))
          disk.undoable.append(.reset(again, period))
          return Self.made(again, period, marks, disk.station)
        }
      case .reset:
        let marks = disk.station.knowledge[period].registers.mapValues(\.number)
        let entry = try disk.station.reset(period, as: Self.next(&disk, &random))
        disk.undoable.append(.reset(entry, period))
        disk.redoable = []
        return Self.made(entry, period, marks, disk.station)
      case .correct:
        let change = Int64(clamping: 7 - disk.station.knowledge[period].total())
        guard change != 0 else { return nil }
        disk.undoable.append(.count(change, period))
        disk.redoable = []
        return try Self.count(change, in: period, &disk, &random)
      case .command:
        let id = "\(random.below(3))"
        guard disk.commands.admit(id) else { return nil }
        disk.ghost.commands[id, default: 0] += 1
        return try Self.count(change, in: period, &disk, &random)
      default:
        disk.undoable.append(.count(change, period))
        disk.redoable = []
        return try Self.count(change, in: period, &disk, &random)
      }
    }
  }

  private mutating func restart(_ broker: Int, with retained: [String: Envelope]) {
    brokers[broker].retained = retained
    for index in machines.indices where machines[index].broker == broker { connect(index, to: broker) }
  }

  /// Changes a message or invents one, and gives it to a machine.
  private mutating func forge(_ index: Int) {
    guard let bytes = machines[index].inbox.randomElement(using: &random)?.bytes else { return }
    var forged = bytes
    for _ in 0..<random.whole(1...3) {
      let place = random.below(forged.count)
      if random.below(2) == 0 {
        forged[place] = random.whole(0x20...0x7e)
      } else {
        forged.insert(UInt8(ascii: "0") + random.below(10), at: place)
      }
    }
    guard let message = try? Message(parsing: forged), forged != bytes else { return }
    oracle.forgedWriters.formUnion(message.content.registers.keys)
    let isAboutResets = !message.content.resets.isEmpty || !message.content.undone.isEmpty
    if isAboutResets { oracle.forgedPeriods.insert(message.period) }
    _ = try? machines[index].memory?.station.learn(message)
  }
}
