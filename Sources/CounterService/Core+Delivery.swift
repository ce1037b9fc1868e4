import CounterStore
public import Counting
import Platform

/// Deliveries that count exactly once.
extension Core {
  /// Starts a new epoch for a producer.
  ///
  /// - Returns: its number, and the last delivery that counted before, if any.
  public func open(producer name: String) throws -> (epoch: Int64, last: Producer.Delivery?) {
    if let failure { throw failure }
    let (producer, last) = try storing { () throws(StoreError) in
      let last = try store.lastDelivery(ofProducer: name)
      return (try store.open(producer: name), last)
    }
    remember(producer, as: name)
    due?.schedule()
    return (producer.epoch, last)
  }

  /// Does the changes of a delivery if they were not done before.
  ///
  /// - Throws: ``DeliveryError``, and what ``perform(_:)`` throws.
  public func deliver(_ changes: [Request], from name: String, epoch: Int64, sequence: Int64) throws -> (
    duplicate: Bool, events: [Event]
  ) {
    let known = try producers[name] ?? storing { () throws(StoreError) in try store.producer(named: name) }
    guard var producer = known else { throw DeliveryError.unknownEpoch }
    switch try producer.judge(epoch: epoch, sequence: sequence) {
    case .repeated(let range):
      return (true, try storing { () throws(StoreError) in try store.events(range, in: ledger) })
    case .count: break
    }
    let events = try perform(changes)
    guard let first = events.first?.sequence, let last = events.last?.sequence, first <= last else {
      return (false, [])
    }
    let delivery = Producer.Delivery(epoch: epoch, sequence: sequence, events: first...last)
    try storing { () throws(StoreError) in try store.save(delivery, of: producer) }
    producer.remember(delivery)
    remember(producer, as: name)
    return (false, events)
  }

  private func remember(_ producer: Producer, as name: String) {
    // Bounded: what is not here is read from the journal again.
    if producers.count >= 256, producers[name] == nil { producers.removeAll() }
    producers[name] = producer
  }
}
