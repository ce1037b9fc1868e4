public import Counting

extension CounterStore {
  /// The producer called `name` as it was written last; `nil` for one that was never opened.
  public func producer(named name: String) throws(StoreError) -> Producer? {
    let found = try statements.producer.rows(.text(name)) { row throws(StoreError) in (row.integer(0), row.integer(1)) }
    guard let (number, epoch) = found.first else { return nil }
    return Producer(number: number, epoch: epoch, recent: try deliveries(of: number))
  }

  /// The last delivery of the producer called `name` that counted, in whatever epoch.
  public func lastDelivery(ofProducer name: String) throws(StoreError) -> Producer.Delivery? {
    let found = try statements.producer.rows(.text(name)) { row throws(StoreError) in row.integer(0) }
    guard let number = found.first else { return nil }
    return try deliveries(of: number).max { ($0.epoch, $0.sequence) < ($1.epoch, $1.sequence) }
  }

  private func deliveries(of number: Int64) throws(StoreError) -> [Producer.Delivery] {
    try statements.deliveries.rows(.integer(number)) { row throws(StoreError) in
      let first = row.integer(2)
      return Producer.Delivery(
        epoch: row.integer(0), sequence: row.integer(1), events: first...max(first, row.integer(3)))
    }
  }

  /// Starts the next epoch of the producer called `name`, which becomes durable with the next commit.
  public func open(producer name: String) throws(StoreError) -> Producer {
    try begin()
    let epoch = (try producer(named: name)?.epoch ?? 0) &+ 1
    try statements.saveProducer.run(.text(name), .integer(epoch))
    guard let producer = try producer(named: name) else {
      throw StoreError(.failed, "The producer could not be read back from the journal.")
    }
    return producer
  }

  /// Notes that a delivery was counted, in the same transaction as its events.
  public func save(_ delivery: Producer.Delivery, of producer: Producer) throws(StoreError) {
    try begin()
    try statements.saveDelivery.run(
      .integer(producer.number), .integer(delivery.slot), .integer(delivery.epoch), .integer(delivery.sequence),
      .integer(delivery.events.lowerBound), .integer(delivery.events.upperBound))
  }
}
