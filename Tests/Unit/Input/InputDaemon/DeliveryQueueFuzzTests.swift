import CoreAPI
import InputDaemon
import TestKit
import Testing

/// A queue and a core between which everything goes wrong that can: connections break with requests and answers on the
/// way, the core finds requests of a dead connection late, refuses, and runs out of disk, and the queue's process dies,
/// and another goes on with what was kept.
@Suite(.seeded) struct DeliveryQueueFuzzTests {
  @Test(arguments: 0..<Rounds.times(8))
  func `nothing is lost, doubled or put out of order`(number: Int) {
    var hand = Hand(case: number)
    for _ in 0..<3000 { hand.step() }
    hand.finish()
    #expect(hand.core.recorded == hand.expected)
    #expect(hand.queue.isEmpty)
  }

  /// A core that refuses a gesture today may take it when it comes upon it once more, on a connection that is gone.
  @Test(arguments: 0..<Rounds.times(8))
  func `nothing is lost, doubled or put out of order by a core that changes its mind`(number: Int) {
    var hand = Hand(case: number)
    hand.isFickle = true
    for _ in 0..<3000 { hand.step() }
    hand.finish()
    let recorded = hand.core.recorded.compactMap(\.changes[0].time)
    #expect(zip(recorded, recorded.dropFirst()).allSatisfy(<))
    #expect(hand.made.subtracting(hand.dropped).isSubset(of: recorded))
    #expect(hand.queue.isEmpty)
  }

  @Test func `every way of going wrong is gone`() {
    var seen = Hand.Seen()
    for number in 0..<1000 where seen != .all {
      var hand = Hand(case: number)
      for _ in 0..<3000 { hand.step() }
      seen.formUnion(hand.seen)
    }
    #expect(seen == .all)
  }

  struct Hand {
    struct Seen: OptionSet {
      var rawValue = 0
      static let duplicate = Seen(rawValue: 1), drop = Seen(rawValue: 2), rest = Seen(rawValue: 4)
      static let late = Seen(rawValue: 8), death = Seen(rawValue: 16)
      static let all: Seen = [.duplicate, .drop, .rest, .late, .death]
    }

    var queue = DeliveryQueue()
    var core = VirtualCore()
    var expected: [Delivery] = []
    var seen: Seen = []
    /// Whether what is refused changes.
    var isFickle = false
    private(set) var made: Set<Int64> = []
    private(set) var dropped: Set<Int64> = []
    private var random: SeededRandom
    private var isConnected = false
    private var isResting = false
    /// On the way to the core, and on the way back.
    private var requests: [DeliveryQueue.Request] = []
    private var answers: [DeliveryQueue.Answer] = []
    /// Sent on connections that are gone; the core has not read them yet.
    private var late: [DeliveryQueue.Request] = []
    /// What outlives the queue's process: how it stood, with what was added since.
    private var kept = DeliveryQueue.State()

    init(case number: Int) {
      random = Seed.generator(case: number)
      core.refuses = { Self.isRefused($0) }
    }

    static func isRefused(_ delivery: Delivery) -> Bool { (delivery.changes[0].time ?? 0) % 7 == 3 }

    mutating func roll(_ sides: Int) -> Int { random.below(sides) }

    mutating func step() {
      switch roll(100) {
      case 0..<25: make()
      case 25..<50: send()
      case 50..<72: serve()
      case 72..<93: take()
      case 93: disconnect()
      case 94: if roll(4) == 0 { die() } else { disconnect() }
      case 95: if roll(2) == 0 { core.isFull.toggle() } else if isFickle { changeMind() }
      case 96..<98: readLate()
      default: connectOrRest()
      }
    }

    mutating func make() {
      let new = delivery(made.count + 1)
      made.insert(Int64(made.count + 1))
      guard queue.add(new) else { return }
      kept = queue.state
      if !Self.isRefused(new) { expected.append(new) }
    }

    mutating func send() {
      guard isConnected else { return }
      if let request = queue.next() { requests.append(request) }
    }

    /// At any moment, with anything on its way in either direction.
    mutating func die() {
      disconnect()
      isResting = false
      queue = DeliveryQueue(restoring: kept)
      seen.insert(.death)
    }

    mutating func serve() {
      guard !requests.isEmpty else { return }
      let before = core.duplicates
      answers.append(core.handle(requests.removeFirst()))
      if core.duplicates > before { seen.insert(.duplicate) }
    }

    mutating func take() {
      guard !answers.isEmpty else { return }
      let revision = queue.revision
      let notice = queue.answered(answers.removeFirst())
      // An acknowledgement may be forgotten with the process; other numbers may not.
      if queue.revision != revision || roll(2) == 0 { kept = queue.state }
      switch notice {
      case .dropped(let dropped, _):
        seen.insert(.drop)
        self.dropped.insert(dropped.changes[0].time ?? 0)
        #expect(Self.isRefused(dropped))
      case .rest:
        seen.insert(.rest)
        isResting = true
      case .fenced, .abandoned: Issue.record("nobody else delivers under this name")
      case nil: break
      }
    }

    /// A core that reads a dead connection late does not open epochs on it: it knows that nobody waits for them.
    mutating func disconnect() {
      guard isConnected else { return }
      isConnected = false
      queue.disconnected()
      late += requests.filter { $0 != .open }
      requests = []
      answers = []
    }

    mutating func changeMind() {
      let refuses = roll(2) == 0
      core.refuses = { refuses && Self.isRefused($0) }
    }

    mutating func readLate() {
      guard !late.isEmpty else { return }
      _ = core.handle(late.removeFirst())
      seen.insert(.late)
    }

    mutating func connectOrRest() {
      if !isConnected {
        isConnected = true
        queue.connected()
      } else if isResting {
        isResting = false
        queue.rested()
      }
    }

    /// Everything works again until all is delivered.
    mutating func finish() {
      core.isFull = false
      for _ in 0..<100_000 where !queue.isEmpty {
        connectOrRest()
        send()
        serve()
        take()
      }
      while !late.isEmpty { readLate() }
    }
  }
}
