public import Counting

extension CounterStore {
  /// A producer as it was written last; `nil` for one that was never opened.
  ///
  /// One of a journal in which names were nobody's own goes on from there, whoever it is, with the epoch that the name had
  /// and what was delivered in it: what was sent before is known, and what comes next is the user's own. That is written,
  /// unless nothing may be.
  public func producer(_ key: Producer.Key, isWritable: Bool = true) throws(StoreError) -> Producer? {
    var row = try row(of: key.text)
    if row == nil, isWritable { row = try inherited(by: key) }
    guard let row else { return nil }
    return Producer(number: row.number, epoch: row.epoch, recent: try deliveries(of: row.number))
  }

  /// The last delivery of a producer that counted, in whatever epoch.
  public func lastDelivery(of producer: Producer) throws(StoreError) -> Producer.Delivery? {
    try deliveries(of: producer.number).max { ($0.epoch, $0.sequence) < ($1.epoch, $1.sequence) }
  }

  private typealias Row = (number: Int64, epoch: Int64)

  private func row(of text: String) throws(StoreError) -> Row? {
    try statements.producer.rows(.text(text)) { row throws(StoreError) -> Row in
      (row.integer(0), row.integer(1))
    }.first
  }

  private func inherited(by key: Producer.Key) throws(StoreError) -> Row? {
    guard let former = try row(of: key.name) else { return nil }
    try begin()
    try statements.saveProducer.run(.text(key.text), .integer(former.epoch))
    guard let heir = try row(of: key.text) else { return nil }
    try statements.copyDeliveries.run(.integer(heir.number), .integer(former.number))
    return heir
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

  /// Notes that a delivery was counted, in the same transaction as its events.
  public func save(_ delivery: Producer.Delivery, of producer: Producer) throws(StoreError) {
    try begin()
    try statements.saveDelivery.run(
      .integer(producer.number), .integer(delivery.slot), .integer(delivery.epoch), .integer(delivery.sequence),
      .integer(delivery.events?.lowerBound ?? 0), .integer(delivery.events?.upperBound ?? -1))
  }
}

extension Producer.Key {
  /// As the journal has it. No name holds a control character, so neither one with a user before it nor one of a journal
  /// in which there was none can be taken for another.
  fileprivate var text: String { "\(user)\u{1f}\(name)" }
}
