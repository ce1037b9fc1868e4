import InputDaemon
import Testing

struct DeliveryQueueTests {
  var queue = DeliveryQueue()
  var core = VirtualCore()

  /// Everything that can be sent now, and each answer, until nothing more happens.
  mutating func exchange() -> [DeliveryQueue.Notice] {
    var notices: [DeliveryQueue.Notice] = []
    while let request = queue.next() {
      if let notice = queue.answered(core.handle(request)) { notices.append(notice) }
    }
    return notices
  }

  /// A connection on which the epoch is opened, and on which so many deliveries wait.
  mutating func open(_ numbers: ClosedRange<Int>? = nil) {
    queue.connected()
    #expect(exchange().isEmpty)
    if let numbers { add(numbers) }
  }

  /// Sends all deliveries that may be sent ahead, then reads their replies.
  mutating func exchangeAhead() -> [DeliveryQueue.Notice] {
    sendAhead().map { core.handle($0) }.compactMap { queue.answered($0) }
  }

  mutating func reconnect() {
    queue.disconnected()
    queue.connected()
  }

  /// Another process of the same name delivers.
  mutating func deliverElsewhere() {
    core.fence()
    _ = core.handle(.deliver(.init(epoch: 2, sequence: 1), delivery(9)))
  }

  /// Sends all that may be sent ahead without taking an answer.
  mutating func sendAhead() -> [DeliveryQueue.Request] {
    var requests: [DeliveryQueue.Request] = []
    while let request = queue.next() { requests.append(request) }
    return requests
  }

  mutating func add(_ numbers: some Sequence<Int>) {
    for number in numbers { #expect(queue.add(delivery(number)) == true) }
  }

  @Test mutating func `what was recognised before there was a core arrives in order`() {
    add(1...100)
    #expect(queue.next() == nil)
    open()
    #expect(core.recorded == (1...100).map(delivery))
    #expect(queue.isEmpty)
  }

  @Test mutating func `the epoch is opened before there is anything to deliver`() {
    queue.connected()
    #expect(queue.next() == .open)
    #expect(queue.next() == nil)
  }

  @Test mutating func `at most a window is sent ahead`() {
    open(1...100)
    #expect(sendAhead().count == DeliveryQueue.window)
  }

  @Test mutating func `an answer that got lost is asked for again under the same number`() {
    open(1...3)
    for request in sendAhead() { _ = core.handle(request) }
    reconnect()
    #expect(exchange().isEmpty)
    #expect(core.recorded == (1...3).map(delivery))
    #expect(core.duplicates == 3)
  }

  @Test mutating func `a refused gesture uses no number, and those behind it get new ones`() {
    core.refuses = { $0 == delivery(2) }
    open(1...5)
    #expect(exchangeAhead() == [.dropped(delivery(2), reason: "")])
    #expect(queue.next() == .open)
    #expect(queue.answered(core.handle(.open)) == nil)
    #expect(queue.next() == .deliver(.init(epoch: 2, sequence: 1), delivery(3)))
    queue.disconnected()
    open()
    #expect(core.recorded == [1, 3, 4, 5].map(delivery))
  }

  @Test mutating func `a connection lost behind a refusal makes the old numbers worthless`() {
    core.refuses = { $0 == delivery(1) }
    open(1...3)
    let requests = sendAhead()
    _ = queue.answered(core.handle(requests[0]))
    reconnect()
    #expect(queue.next() == .open)
    #expect(queue.answered(core.handle(.open)) == nil)
    let late = requests.dropFirst().map { core.handle($0) }
    #expect(late == [.failed(.fenced("")), .failed(.fenced(""))])
    _ = exchange()
    #expect(core.recorded == [2, 3].map(delivery))
  }

  @Test mutating func `a refusal after a lost connection opens a new epoch too`() throws {
    core.refuses = { $0 == delivery(1) }
    open(1...3)
    _ = sendAhead()
    reconnect()
    let next = queue.next()
    let request = try #require(next)
    #expect(queue.answered(core.handle(request)) == .dropped(delivery(1), reason: ""))
    #expect(queue.next() == .open)
  }

  @Test mutating func `a full disk makes it wait and lose nothing`() {
    core.isFull = true
    open(1...3)
    #expect(exchangeAhead() == [.rest(reason: "")])
    #expect(queue.next() == nil)
    core.isFull = false
    queue.rested()
    _ = exchange()
    #expect(core.recorded == (1...3).map(delivery))
  }

  @Test mutating func `a core with another state gets what it has not acknowledged`() {
    queue.connected()
    add(1...3)
    _ = exchange()
    core.forgetEpochs()
    add(4...6)
    #expect(exchange() == [.rest(reason: "")])
    queue.rested()
    _ = exchange()
    #expect(core.recorded == (1...6).map(delivery))
  }

  @Test mutating func `another daemon of the same name ends it for good`() {
    open()
    core.fence()
    add(1...3)
    #expect(exchangeAhead() == [.fenced(reason: "")])
    reconnect()
    #expect(queue.next() == nil)
  }

  @Test(arguments: [0, 2]) mutating func `what a daemon could not deliver because of another one is the next one's`(
    acknowledged: Int
  ) throws {
    open()
    if acknowledged > 0 { add(1...acknowledged) }
    _ = exchange()
    deliverElsewhere()
    add(3...5)
    #expect(exchangeAhead() == [.fenced(reason: "")])
    add(6...6)
    queue = DeliveryQueue(restoring: queue.state)
    queue.connected()
    #expect(exchange().isEmpty)
    #expect(core.recorded == ([1, 2].prefix(acknowledged) + [9, 3, 4, 5, 6]).map(delivery))
  }

  @Test mutating func `what another daemon may have made uncertain is not delivered twice`() throws {
    open(1...2)
    // Counted, and the answers are lost.
    for request in sendAhead() { _ = core.handle(request) }
    queue.disconnected()
    deliverElsewhere()
    queue.connected()
    #expect(exchangeAhead() == [.fenced(reason: "")])
    queue = DeliveryQueue(restoring: queue.state)
    queue.connected()
    #expect(exchange() == [.abandoned(2)])
    #expect(core.recorded == [1, 2, 9].map(delivery))
  }

  @Test mutating func `the newest gesture is refused where the queue is full`() {
    add(1...DeliveryQueue.capacity)
    #expect(queue.add(delivery(0)) == false)
    open()
    #expect(core.recorded.count == DeliveryQueue.capacity)
    #expect(queue.add(delivery(0)) == true)
  }

  @Test mutating func `answers without a question are nothing`() {
    #expect(queue.answered(.delivered) == nil)
    queue.connected()
    #expect(queue.answered(.failed(.fenced(""))) == nil)
    #expect(queue.next() == .open)
  }
}
