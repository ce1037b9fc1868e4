public import Counting
import Journal
import Linux

/// Exactly-once deliveries.
extension Core {
  /// Starts a new epoch of a producer.
  ///
  /// - Returns: the epoch, and the last delivery that was counted before, if any.
  public func open(_ key: Producer.Key) throws -> (epoch: Int64, last: Producer.Delivery?) {
    if let failure { throw failure }
    let (producer, last) = try storing { () throws(StoreError) in
      let producer = try store.open(key)
      return (producer, try store.lastDelivery(of: producer))
    }
    remember(producer, as: key)
    due?.schedule()
    return (producer.epoch, last)
  }

  /// Performs the changes of a delivery unless they were performed before.
  ///
  /// - Throws: ``DeliveryError``, and the errors of ``perform(_:)``.
  public func deliver(_ changes: [Request], from key: Producer.Key, epoch: Int64, sequence: Int64) throws -> (
    duplicate: Bool, events: [Event]
  ) {
    let known = try producers[key] ?? storing { () throws(StoreError) in try store.producer(key) }
    guard var producer = known else { throw DeliveryError.unknownEpoch }
    switch try producer.judge(epoch: epoch, sequence: sequence) {
    case .repeated(let range):
      guard let range else { return (true, []) }
      return (true, try storing { () throws(StoreError) in try store.events(range, in: ledger) })
    case .count: break
    }
    deliverer = producer
    defer { deliverer = nil }
    let events = try perform(changes)
    // A delivery whose undo finds nothing gets a normal reply, and its sequence number is used up.
    var range: ClosedRange<Int64>?
    if let first = events.first?.sequence, let last = events.last?.sequence, first <= last { range = first...last }
    let delivery = Producer.Delivery(epoch: epoch, sequence: sequence, events: range)
    try storing { () throws(StoreError) in try store.save(delivery, of: producer) }
    producer.remember(delivery)
    remember(producer, as: key)
    return (false, events)
  }

  private func remember(_ producer: Producer, as key: Producer.Key) {
    // The cache is bounded: other producers are read from the journal again.
    if producers.count >= 256, producers[key] == nil { producers.removeAll() }
    producers[key] = producer
  }
}
