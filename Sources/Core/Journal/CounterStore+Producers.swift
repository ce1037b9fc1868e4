public import Counting

extension CounterStore {
  /// The stored state of a producer; `nil` if it was never opened.
  public func producer(_ key: Producer.Key) throws(StoreError) -> Producer? {
    guard let row = try row(of: key.text) else { return nil }
    return Producer(number: row.number, epoch: row.epoch, recent: try deliveries(of: row.number))
  }

  /// The last counted delivery of a producer in any epoch.
  public func lastDelivery(of producer: Producer) throws(StoreError) -> Producer.Delivery? {
    try deliveries(of: producer.number).max { ($0.epoch, $0.sequence) < ($1.epoch, $1.sequence) }
  }

  private typealias Row = (number: Int64, epoch: Int64)

  private func row(of text: String) throws(StoreError) -> Row? {
    try statements.producer.rows(.text(text)) { row throws(StoreError) -> Row in
      (row.integer(0), row.integer(1))
    }.first
  }

  /// The events of the latest deliveries of a producer, in any epoch.
  public func deliveredEvents(of producer: Producer) throws(StoreError) -> [ClosedRange<Int64>] {
    try deliveries(of: producer.number).compactMap(\.events)
  }

  private func deliveries(of number: Int64) throws(StoreError) -> [Producer.Delivery] {
    try statements.deliveries.rows(.integer(number)) { row throws(StoreError) in
      let (first, last) = (row.integer(2), row.integer(3))
      return Producer.Delivery(
        epoch: row.integer(0), sequence: row.integer(1), events: first <= last ? first...last : nil)
    }
  }

  /// Starts the next epoch of a producer, which becomes durable with the next commit.
  public func open(_ key: Producer.Key) throws(StoreError) -> Producer {
    try begin()
    let epoch = (try producer(key)?.epoch ?? 0) &+ 1
    try statements.saveProducer.run(.text(key.text), .integer(epoch))
    guard let producer = try producer(key) else {
      throw StoreError(.failed, "The producer could not be read back from the journal.")
    }
    return producer
  }

  /// Stores a counted delivery in the transaction of its events.
  public func save(_ delivery: Producer.Delivery, of producer: Producer) throws(StoreError) {
    try begin()
    try statements.saveDelivery.run(
      .integer(producer.number), .integer(delivery.slot), .integer(delivery.epoch), .integer(delivery.sequence),
      .integer(delivery.events?.lowerBound ?? 0), .integer(delivery.events?.upperBound ?? -1))
  }
}

extension Producer.Key {
  /// The key of a producer in the journal. Names contain no control characters, so no two keys are equal.
  fileprivate var text: String { "\(user)\u{1f}\(name)" }
}
