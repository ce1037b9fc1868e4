/// What the core has not acknowledged, and under which numbers it is sent: a delivery's number is its place behind what was
/// acknowledged, in an epoch that the core has opened.
struct NumberedDeliveries: Sendable {
  private struct Waiting {
    let delivery: Delivery
    /// Under which number it was sent last; nil where it was not in this epoch or the one before.
    var number: Int64?
  }

  private var waiting: ArraySlice<Waiting> = []
  /// In which the numbers hold; nil while there is none, or the former one must not be gone on with.
  private(set) var epoch: Int64?
  /// The epoch in which the numbers of ``Waiting/number`` were given.
  private var former: Int64?
  /// The number of the first of `waiting`.
  private(set) var first: Int64 = 1
  /// The highest number that was sent on a connection which is gone: the core may yet come upon it.
  private var lost: Int64 = 0

  init() {}

  /// What an earlier process left; some of it may have been sent.
  init(epoch: Int64?, first: Int64, _ deliveries: [Delivery]) {
    waiting =
      deliveries.enumerated().map { index, delivery in
        Waiting(delivery: delivery, number: epoch == nil ? nil : first &+ Int64(index))
      }[...]
    former = epoch
  }

  var isEmpty: Bool { waiting.isEmpty }
  /// Whether none has a number under which it may have been counted.
  var isUnnumbered: Bool { epoch == nil && former == nil }
  var count: Int { waiting.count }
  /// In their order.
  var deliveries: [Delivery] { waiting.map(\.delivery) }

  mutating func append(_ delivery: Delivery) { waiting.append(Waiting(delivery: delivery)) }

  /// The delivery at `index` is sent now; gives its number, or nil where there is no epoch or no such delivery.
  mutating func send(at index: Int) -> (epoch: Int64, number: Int64, delivery: Delivery)? {
    guard let epoch, index < waiting.count else { return nil }
    let (place, number) = (waiting.startIndex + index, first + Int64(index))
    waiting[place].number = number
    former = epoch
    return (epoch, number, waiting[place].delivery)
  }

  /// The first one is acknowledged.
  mutating func acknowledge() {
    waiting.removeFirst()
    // A slice holds on to what it once had.
    if waiting.isEmpty { waiting = [] }
    first += 1
  }

  /// Takes out the first one, which the core refused and which used no number: those behind it move up.
  mutating func drop() -> Delivery {
    // It and those behind it were sent under numbers that would now be somebody else's, and the core may yet come upon
    // them; by then it may even take what it refused.
    if first <= lost { epoch = nil }
    return waiting.removeFirst().delivery
  }

  /// Takes out the one at `index`, which the core took although it refused the one before. No core should; it must not
  /// count twice all the same.
  mutating func remove(at index: Int) {
    waiting.remove(at: waiting.startIndex + index)
    epoch = nil
  }

  /// The answers to the first `count` will never come.
  mutating func lose(_ count: Int) { lost = max(lost, first + Int64(count) - 1) }

  /// The core refuses the whole epoch: what it has not answered in it was not counted. The numbers are worth nothing then,
  /// unless it may have come upon one whose answer was lost with a connection.
  mutating func voidNumbers() {
    guard first > lost else { return }
    (epoch, former, first) = (nil, nil, 1)
    for index in waiting.indices { waiting[index].number = nil }
  }

  /// Nothing is sent in this epoch any more.
  mutating func endEpoch() { epoch = nil }

  /// Numbers everything anew in an epoch that the core has opened, less what was sent in the former one and counted: what
  /// was sent on a connection that is gone, or by a process that is, the core may have come upon since.
  ///
  /// - Parameter last: the last delivery that counted before, where the core says so.
  /// - Returns: how many were taken out although it cannot be known whether they were counted.
  mutating func begin(epoch: Int64, after last: DeliveryQueue.Counted?) -> Int {
    let abandoned = settleFormer(last)
    for index in waiting.indices { waiting[index].number = nil }
    self.epoch = epoch
    first = 1
    lost = 0
    return abandoned
  }

  private mutating func settleFormer(_ last: DeliveryQueue.Counted?) -> Int {
    guard let last, let former, last.epoch >= former else { return 0 }
    let before = waiting.count
    waiting.removeAll { $0.number.map { last.epoch > former || $0 <= last.sequence } ?? false }
    return last.epoch > former ? before - waiting.count : 0
  }
}
