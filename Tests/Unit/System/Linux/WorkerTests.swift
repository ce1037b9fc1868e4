import Linux
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WorkerTests {
  /// What a thread has noted, in order.
  private final class Notes: Sendable {
    private let numbers = Mutex<[Int]>([])
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
  }

  @Test func `messages are handled in order, on another thread`() throws {
    let notes = Notes()
    let worker = try Worker<Int>(capacity: 100) { mailbox in
      while case .message(let number) = mailbox.take(until: nil) {
        notes.add(number)
        if number == 50 { return }
      }
    }
    for number in 1...50 { worker.mailbox.put(number) }
    try Wait.until("all mailbox are read") { notes.all.count >= 50 }
    #expect(notes.all == Array(1...50))
  }

  @Test func `a full mailbox drops its oldest message`() {
    let mailbox = Mailbox<Int>(capacity: 3)
    for number in 1...10 { mailbox.put(number) }
    var taken: [Int] = []
    while case .message(let number) = mailbox.take(until: 0) { taken.append(number) }
    #expect(taken == [8, 9, 10])
  }

  @Test func `waiting ends at its deadline, and not before`() {
    let mailbox = Mailbox<Int>(capacity: 3)
    let deadline = Clock.boottime() + 20_000_000
    guard case .nothing = mailbox.take(until: deadline) else {
      Issue.record("nothing was put in")
      return
    }
    #expect(Clock.boottime() >= deadline)
  }

  @Test func `a closed mailbox returns no message`() {
    let mailbox = Mailbox<Int>(capacity: 3)
    mailbox.put(1)
    mailbox.close()
    mailbox.put(2)
    guard case .closed = mailbox.take(until: nil) else {
      Issue.record("it was closed")
      return
    }
  }

  @Test func `an end is waited for`() throws {
    let notes = Notes()
    let worker = try Worker<Int>(capacity: 1) { mailbox in
      while case .message = mailbox.take(until: nil) {}
      notes.add(1)
    }
    worker.end(by: Clock.boottime() + Wait.longest)
    #expect(notes.all == [1])
  }

  @Test func `a thread that does not end is not waited for beyond the deadline`() throws {
    let gate = Mailbox<Int>(capacity: 1)
    let worker = try Worker<Int>(capacity: 1) { _ in _ = gate.take(until: nil) }
    let deadline = Clock.boottime() + 20_000_000
    worker.end(by: deadline)
    #expect(Clock.boottime() >= deadline)
    gate.close()
  }

  @Test func `a worker ends when it is deallocated`() throws {
    let notes = Notes()
    do {
      _ = try Worker<Int>(capacity: 1) { mailbox in
        while case .message = mailbox.take(until: nil) {}
        notes.add(1)
      }
    }
    try Wait.until("the worker ends") { !notes.all.isEmpty }
    #expect(notes.all == [1])
  }
}
