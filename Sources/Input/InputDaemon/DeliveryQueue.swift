/// Keeps deliveries until the core has acknowledged them: each counts exactly once, in order, however often the
/// connection, the core or this process fails.
///
/// The queue has no socket and no clock. Its driver sends the requests of ``next()``, passes each answer to
/// ``answered(_:)`` in the order of the requests, and waits when a ``Notice/rest(reason:)`` asks for it.
///
/// Each delivery has a number in the epoch that the core opened. After a lost connection the same numbers are sent
/// again, and the core recognises those that it has counted. After a refusal, a gap or a failure the numbers no longer
/// fit: the queue waits for the outstanding answers, opens a new epoch, drops the deliveries that the core names as
/// counted, and numbers the rest from 1.
///
/// | phase        | event                                     | next                                |
/// |--------------|-------------------------------------------|-------------------------------------|
/// | disconnected | connected                                 | delivering                          |
/// | any          | disconnected                              | disconnected                        |
/// | delivering   | there is no epoch                         | opening                             |
/// | opening      | opened                                    | delivering, with new numbers        |
/// | delivering   | acknowledged                              | delivering                          |
/// | delivering   | the gesture is refused                    | draining, then delivering           |
/// | delivering   | gap, unknown epoch, the core cannot record | draining, backing off, delivering  |
/// | backing off  | rested                                    | delivering                          |
/// | any          | fenced                                    | fenced, for good                    |
///
/// ## Why numbers, and not the identity of the gesture
///
/// ``Delivery/identity`` (device, kernel time, ordinal) shows whether a process has accepted a gesture before. It
/// cannot replace the numbers:
/// - Order. Up to ``window`` deliveries are on the way. If the core fails to record one, it must also refuse those
///   behind it. A gap in the numbers makes the core refuse them; with identities there is no gap.
/// - Late requests. The core may read a request of a dead connection after it has replied on the new one. The epoch
///   fences such a request. Without it the core would have to remember the identity of every delivery that can still be
///   on the way, refused ones included, in an index that costs each count one more page on the disk.
/// - Terminals and motion sensors have no events that a later process reads again, and other programs deliver too.
///
/// The identity remains necessary, because the next process reads the device's events again and cannot know their
/// numbers.
public struct DeliveryQueue: Sendable {
  /// The maximum number of deliveries in the queue: an hour of eighteen gestures a second without a core.
  public static let capacity = 65_536
  /// The maximum number of deliveries that are sent before the first is acknowledged.
  public static let window = 32

  /// A message to the core.
  public enum Request: Equatable, Sendable {
    case open
    case deliver(Number, Delivery)
  }

  /// The core's answer to the oldest request without one.
  public enum Answer: Equatable, Sendable {
    /// The answer to `open`; `last` is the last delivery that counted before, if the core names it.
    case opened(epoch: Int64, last: Number? = nil)
    /// The delivery is on disk, now or since an earlier try.
    case delivered
    case failed(DeliveryFailure)
  }

  /// The number of a delivery.
  public struct Number: Equatable, Sendable {
    public let epoch: Int64
    /// The position in the epoch, from 1.
    public let sequence: Int64

    public init(epoch: Int64, sequence: Int64) {
      self.epoch = epoch
      self.sequence = sequence
    }
  }

  /// Something for the driver to do or to report.
  public enum Notice: Equatable, Sendable {
    /// The core refused this gesture; it is not sent again.
    case dropped(Delivery, reason: String)
    /// Another process has used the producer's name. It is unknown whether this number of deliveries was counted.
    case abandoned(Int)
    /// Wait for a while, then call ``rested()``.
    case rest(reason: String)
    /// Another process delivers under the same name; this queue never sends again.
    case fenced(reason: String)
  }

  /// A delivery that is not acknowledged.
  public struct Entry: Equatable, Sendable {
    public let delivery: Delivery
    /// The number of the delivery's last or present transmission; `nil` without a number.
    public internal(set) var number: Number?
    /// Whether the delivery may be counted without an answer, because its connection or process is gone.
    fileprivate var mayBeCounted = false

    public init(_ delivery: Delivery, number: Number? = nil) {
      self.delivery = delivery
      self.number = number
    }
  }

  /// The state that must outlive the process.
  public struct State: Equatable, Sendable {
    /// The waiting deliveries, oldest first.
    public var waiting: [Entry]
    /// The latest deliveries, including acknowledged ones.
    public var seen = DeduplicationLog()

    public init(waiting: [Entry] = []) { self.waiting = waiting }
  }

  private enum Phase: Equatable {
    case disconnected
    case opening
    case delivering
    /// Waits for the outstanding answers; if there is a reason, the queue backs off afterwards.
    case draining(reason: String?)
    case backingOff
    case fenced
  }

  private var phase = Phase.disconnected
  private var waiting: ArraySlice<Entry> = []
  /// The open epoch with the last number given in that epoch; `nil` if a new epoch must be opened.
  private var last: Number?
  /// Number of requests without an answer. In `delivering` these are the first entries of `waiting`.
  private var inFlight = 0

  /// The latest gestures that became deliveries.
  public private(set) var seen = DeduplicationLog()
  /// Changes when deliveries are renumbered. After a change, ``state`` must be saved before anything is sent.
  public private(set) var revision = 0

  public init() {}

  /// Continues with the state of a process that has ended. Numbered deliveries may have been counted: the core reports
  /// which when a new epoch is opened.
  public init(restoring state: State) {
    waiting = state.waiting[...]
    for index in waiting.indices { waiting[index].mayBeCounted = waiting[index].number != nil }
    seen = state.seen
  }

  /// Whether everything is acknowledged.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Number of deliveries that are not acknowledged.
  public var count: Int { waiting.count }

  /// Whether a request has no answer yet.
  var awaitsAnswer: Bool { inFlight > 0 }

  /// The newest delivery that is not acknowledged.
  var newest: Entry? { waiting.last }

  public var state: State {
    var state = State(waiting: Array(waiting))
    state.seen = seen
    return state
  }

  /// Appends a delivery; returns `false`, and drops it, if ``capacity`` are waiting.
  public mutating func add(_ delivery: Delivery) -> Bool {
    guard waiting.count < Self.capacity else { return false }
    waiting.append(Entry(delivery, number: nextNumber()))
    seen.note(delivery)
    return true
  }

  private mutating func nextNumber() -> Number? {
    last = last.map { Number(epoch: $0.epoch, sequence: $0.sequence + 1) }
    return last
  }

  /// Forgets the gestures of the device with that sysfs path, which can no longer be recognised again.
  mutating func forgetSeen(on node: String) { seen.forget(node) }

  /// Handles a new connection to the core.
  public mutating func connected() {
    if phase == .disconnected { phase = .delivering }
  }

  /// Handles the loss of the connection, and of all outstanding answers.
  public mutating func disconnected() {
    switch phase {
    case .fenced: return
    case .delivering: loseAnswers(to: inFlight)
    // The answer to the first entry was a failure, so it is not in `inFlight`.
    case .draining: loseAnswers(to: inFlight + 1)
    case .disconnected, .opening, .backingOff: break
    }
    inFlight = 0
    phase = .disconnected
  }

  private mutating func loseAnswers(to count: Int) {
    for index in waiting.indices.prefix(count) { waiting[index].mayBeCounted = true }
  }

  /// Ends the wait of ``Notice/rest(reason:)``.
  public mutating func rested() {
    if phase == .backingOff { phase = .delivering }
  }

  /// Returns the next request to send, if there is one, and treats the request as sent.
  public mutating func next() -> Request? {
    guard phase == .delivering else { return nil }
    guard last != nil else {
      phase = .opening
      inFlight = 1
      return .open
    }
    guard inFlight < Self.window, inFlight < waiting.count else { return nil }
    let entry = waiting[waiting.startIndex + inFlight]
    guard let number = entry.number else { return nil }
    inFlight += 1
    return .deliver(number, entry.delivery)
  }

  /// Handles the answer to the oldest request without an answer.
  public mutating func answered(_ answer: Answer) -> Notice? {
    guard inFlight > 0, phase != .fenced else { return nil }
    inFlight -= 1
    if case .failed(.fenced(let reason)) = answer {
      voidNumbers()
      phase = .fenced
      return .fenced(reason: reason)
    }
    switch phase {
    case .opening: return opened(answer)
    // Deliveries after a failed one are not counted. If any was counted, the answer to the next `open` says so.
    case .draining(let reason): return drain(reason)
    default: return delivered(answer)
    }
  }

  private mutating func opened(_ answer: Answer) -> Notice? {
    switch answer {
    case .opened(let epoch, let counted):
      phase = .delivering
      let abandoned = begin(epoch, after: counted)
      return abandoned > 0 ? .abandoned(abandoned) : nil
    case .delivered: return backOff("The core did not say which epoch it opened.")
    case .failed(let failure): return backOff(failure.reason)
    }
  }

  /// Handles the answer to the first of `waiting`.
  private mutating func delivered(_ answer: Answer) -> Notice? {
    switch answer {
    case .delivered, .failed(.forgotten):
      removeFirst()
      return nil
    case .failed(.refused(let reason)):
      last = nil
      let dropped = removeFirst()
      _ = drain(nil)
      return .dropped(dropped, reason: reason)
    case .opened: return fail("The core answered a delivery with an epoch.")
    case .failed(let failure): return fail(failure.reason)
    }
  }

  @discardableResult
  private mutating func removeFirst() -> Delivery {
    let delivery = waiting.removeFirst().delivery
    // A slice keeps the memory of all former elements.
    if waiting.isEmpty { waiting = [] }
    return delivery
  }

  private mutating func fail(_ reason: String) -> Notice? {
    last = nil
    return drain(reason)
  }

  private mutating func drain(_ reason: String?) -> Notice? {
    phase = inFlight > 0 ? .draining(reason: reason) : .delivering
    guard inFlight == 0, let reason else { return nil }
    return backOff(reason)
  }

  private mutating func backOff(_ reason: String) -> Notice {
    phase = .backingOff
    return .rest(reason: reason)
  }

  // MARK: Numbers

  /// Numbers the deliveries in a new epoch, without those counted up to `counted`.
  ///
  /// - Returns: the number of removed deliveries that may or may not have been counted.
  private mutating func begin(_ epoch: Int64, after counted: Number?) -> Int {
    var abandoned = 0
    if let counted {
      waiting.removeAll { entry in
        guard let number = entry.number else { return false }
        if number.epoch == counted.epoch { return number.sequence <= counted.sequence }
        let isAbandoned = entry.mayBeCounted && number.epoch < counted.epoch
        if isAbandoned { abandoned += 1 }
        return isAbandoned
      }
    }
    last = Number(epoch: epoch, sequence: 0)
    for index in waiting.indices {
      waiting[index].number = nextNumber()
      waiting[index].mayBeCounted = false
    }
    revision += 1
    return abandoned
  }

  /// Removes the numbers after the core has refused the epoch. Deliveries with an answer were not counted.
  private mutating func voidNumbers() {
    for index in waiting.indices where !waiting[index].mayBeCounted { waiting[index].number = nil }
    last = nil
    revision += 1
  }
}
