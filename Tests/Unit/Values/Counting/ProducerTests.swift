import Counting
import Testing

@Suite struct `Deliveries of a producer` {
  var producer = Producer(number: 1, epoch: 3)

  mutating func count(_ sequence: Int64) {
    producer.remember(.init(epoch: 3, sequence: sequence, events: (sequence * 10)...(sequence * 10 + 1)))
  }

  @Test mutating func `the next number counts, and a repeat gets the same events`() throws {
    #expect(try producer.judge(epoch: 3, sequence: 1) == .count)
    count(1)
    #expect(try producer.judge(epoch: 3, sequence: 1) == .repeated(10...11))
    #expect(try producer.judge(epoch: 3, sequence: 2) == .count)
  }

  @Test(arguments: [2, 100, Int64.max, 0, -1, Int64.min])
  func `a number that is not the next one is a gap`(_ sequence: Int64) {
    #expect(throws: DeliveryError.gap(expected: 1)) { try producer.judge(epoch: 3, sequence: sequence) }
  }

  @Test func `an older epoch is shut out, and a newer one is unknown`() {
    #expect(throws: DeliveryError.fenced(by: 3)) { try producer.judge(epoch: 2, sequence: 1) }
    #expect(throws: DeliveryError.unknownEpoch) { try producer.judge(epoch: 4, sequence: 1) }
  }

  @Test mutating func `the last 64 answers are remembered, older ones are named as forgotten`() throws {
    for sequence in 1...100 { count(Int64(sequence)) }
    #expect(try producer.judge(epoch: 3, sequence: 37) == .repeated(370...371))
    #expect(throws: DeliveryError.forgotten) { try producer.judge(epoch: 3, sequence: 36) }
    #expect(try producer.judge(epoch: 3, sequence: 101) == .count)
  }

  @Test func `what is remembered of an older epoch answers nothing in this one`() {
    let producer = Producer(number: 1, epoch: 2, recent: [.init(epoch: 1, sequence: 5, events: 1...1)])
    #expect(throws: DeliveryError.gap(expected: 1)) { try producer.judge(epoch: 2, sequence: 5) }
  }
}
