/// Keeps what was recognised until the core has it on disk: every delivery counts exactly once, in order, however often
/// the connection or the core goes away.
///
/// A value without a socket or a clock: whoever drives it sends what ``next()`` gives, reports each answer in the order
/// of the requests, and waits where it is told to.
///
/// A delivery's number is its place behind what was acknowledged, so a refused one, which used no number, is simply
/// taken out and those behind it move up. What was sent under old numbers is waited for first; where its answers can
/// never come (the connection is gone), a new epoch makes sure that the old numbers are worth nothing.
///
/// | phase      | event                                      | next                                         |
/// |------------|--------------------------------------------|----------------------------------------------|
/// | apart      | connected                                  | delivering                                   |
/// | any        | disconnected                               | apart; the same numbers are sent again       |
/// | delivering | no epoch yet                               | opening                                      |
/// | opening    | epoch                                      | delivering                                   |
/// | delivering | acknowledged, or acknowledged before       | delivering                                   |
/// | delivering | the gesture is refused                     | settling, then delivering                    |
/// | delivering | gap, or the core does not know the epoch   | settling, resting, then opening              |
/// | delivering | the core cannot record or serve now        | settling, resting, then delivering           |
/// | resting    | rested                                     | delivering                                   |
/// | any        | fenced                                     | fenced, for good                             |
public struct DeliveryQueue: Sendable {
  /// How many deliveries are kept at most: an hour of eighteen gestures a second without a core.
  public static let capacity = 65_536
  /// How many are sent ahead of their acknowledgement.
  public static let window = 32

  /// What is to be sent.
  public enum Request: Equatable, Sendable {
    case open
    case deliver(epoch: Int64, sequence: Int64, Delivery)
  }

  /// What the core answered to the oldest request without an answer.
  public enum Answer: Equatable, Sendable {
    /// To `open`; with the last delivery that counted before, where the core says so.
    case opened(epoch: Int64, last: Counted? = nil)
    /// It is on disk, now or since an earlier try.
    case delivered
    case failed(DeliveryFailure)
  }

  /// A delivery that the core has counted.
  public struct Counted: Equatable, Sendable {
    public let epoch: Int64
    public let sequence: Int64

    public init(epoch: Int64, sequence: Int64) {
      self.epoch = epoch
      self.sequence = sequence
    }
  }

  /// What the driver has to do or to tell.
  public enum Notice: Equatable, Sendable {
    /// The core will not have this gesture; it is not sent again.
    case dropped(Delivery, reason: String)
    /// Somebody else has delivered since so many were sent; whether they were counted cannot be known.
    case abandoned(Int)
    /// Wait for a while, then call ``rested()``.
    case rest(reason: String)
    /// Another process delivers under the same name; nothing is ever sent again.
    case fenced(reason: String)
  }

  private enum Phase: Equatable {
    case apart
    case opening
    case delivering
    /// Nothing is sent until everything in flight is answered. The first `kept` of what waits were answered already.
    case settling(kept: Int, Aftermath)
    case resting
    case fenced
  }

  private enum Aftermath: Equatable {
    case moveUp
    case rest(reason: String)
  }

  private var phase = Phase.apart
  private var waiting = NumberedDeliveries()
  /// How many requests have no answer yet.
  private var inFlight = 0

  /// The gestures that were taken last.
  public private(set) var taken = TakenGestures()
  /// Another one than before where what waits has other numbers: whoever keeps ``state`` for the next process must have
  /// written it down before anything more is delivered.
  public private(set) var revision = 0

  public init() {}

  /// Goes on where a process ended that left `state`. Some of what waits may have been sent, and even counted: the core
  /// says which, when it opens a new epoch.
  public init(restoring state: State) {
    waiting = NumberedDeliveries(epoch: state.epoch, first: state.first, state.waiting)
    taken = state.taken
  }

  /// Whether everything is acknowledged.
  public var isEmpty: Bool { waiting.isEmpty }

  /// How many deliveries are not acknowledged.
  public var count: Int { waiting.count }

  /// How it stands; nil while what waits may have been sent under numbers that are not in a row.
  public var state: State? {
    var isInRow: Bool {
      if case .settling(_, .moveUp) = phase { false } else { waiting.epoch != nil || waiting.isUnnumbered }
    }
    guard waiting.isEmpty || isInRow else { return nil }
    var state = State(epoch: waiting.epoch, first: waiting.first, waiting: waiting.deliveries)
    state.taken = taken
    return state
  }

  /// Takes one more; `false`, and it is not taken, where ``capacity`` are waiting.
  public mutating func add(_ delivery: Delivery) -> Bool {
    guard waiting.count < Self.capacity else { return false }
    waiting.append(delivery)
    taken.note(delivery)
    return true
  }

  /// Nothing that was done so far on the device with that sysfs path will be recognised again.
  mutating func forgetTaken(on node: String) { taken.forget(node) }

  /// There is a connection to the core.
  public mutating func connected() {
    if phase == .apart { phase = .delivering }
  }

  /// The connection is gone, and with it the answers that had not come.
  public mutating func disconnected() {
    let unanswered = inFlight
    inFlight = 0
    switch phase {
    case .fenced: return
    case .settling(_, .moveUp) where unanswered > 0:
      // The same deliveries have other numbers on the way.
      waiting.endEpoch()
    case .settling(let kept, _): waiting.lose(kept + unanswered)
    case .delivering: waiting.lose(unanswered)
    case .apart, .opening, .resting: break
    }
    phase = .apart
  }

  /// The wait that a ``Notice/rest(reason:)`` asked for is over.
  public mutating func rested() {
    if phase == .resting { phase = .delivering }
  }

  /// The next request to be sent now, if there is one; it counts as sent.
  public mutating func next() -> Request? {
    guard phase == .delivering else { return nil }
    guard waiting.epoch != nil else {
      phase = .opening
      inFlight = 1
      return .open
    }
    guard inFlight < Self.window, let sent = waiting.send(at: inFlight) else { return nil }
    inFlight += 1
    return .deliver(epoch: sent.epoch, sequence: sent.number, sent.delivery)
  }

  /// Takes in the answer to the oldest request that has none.
  public mutating func answered(_ answer: Answer) -> Notice? {
    guard inFlight > 0, phase != .fenced else { return nil }
    inFlight -= 1
    if case .failed(.fenced(let reason)) = answer {
      if phase != .opening { waiting.voidNumbers() }
      revision += 1
      phase = .fenced
      return .fenced(reason: reason)
    }
    switch phase {
    case .opening: return opened(answer)
    case .settling(let kept, let aftermath): return settle(answer, kept: kept, aftermath)
    default: return delivered(answer)
    }
  }
}

extension DeliveryQueue {
  private mutating func opened(_ answer: Answer) -> Notice? {
    switch answer {
    case .opened(let number, let last):
      let abandoned = waiting.begin(epoch: number, after: last)
      revision += 1
      phase = .delivering
      return abandoned > 0 ? .abandoned(abandoned) : nil
    case .delivered: return rest("the core did not say which epoch it opened")
    case .failed(let failure): return rest(failure.reason)
    }
  }

  /// The answer to the first of `waiting`, with all before it acknowledged.
  private mutating func delivered(_ answer: Answer) -> Notice? {
    switch answer {
    case .delivered, .failed(.forgotten):
      waiting.acknowledge()
      return nil
    case .opened: return fail(reopening: true, "the core answered a delivery with an epoch")
    case .failed(.refused(let reason)):
      let dropped = waiting.drop()
      revision += 1
      phase = inFlight > 0 ? .settling(kept: 0, .moveUp) : .delivering
      return .dropped(dropped, reason: reason)
    case .failed(let failure): return fail(reopening: failure.endsEpoch, failure.reason)
    }
  }

  /// The answer to a request that was sent before something went wrong with an earlier one.
  private mutating func settle(_ answer: Answer, kept: Int, _ aftermath: Aftermath) -> Notice? {
    var kept = kept
    if answer == .delivered, kept < waiting.count {
      waiting.remove(at: kept)
      revision += 1
    } else {
      kept += 1
    }
    phase = .settling(kept: kept, aftermath)
    return finishSettling()
  }

  private mutating func fail(reopening: Bool, _ reason: String) -> Notice? {
    if reopening { waiting.endEpoch() }
    phase = .settling(kept: 1, .rest(reason: reason))
    return finishSettling()
  }

  private mutating func finishSettling() -> Notice? {
    guard inFlight == 0, case .settling(_, let aftermath) = phase else { return nil }
    switch aftermath {
    case .moveUp:
      phase = .delivering
      return nil
    case .rest(let reason): return rest(reason)
    }
  }

  private mutating func rest(_ reason: String) -> Notice {
    phase = .resting
    return .rest(reason: reason)
  }
}
