import Testing

@testable import Bridge

@Suite struct OutboxTests {
  private func state(_ topic: String, _ payload: String) -> Publication {
    Publication(topic, payload, isRetained: true)
  }

  @Test func ofARetainedTopicTheLastMessageIsSent() {
    var outbox = Outbox()
    outbox.put(state("a", "1"))
    outbox.put(state("b", "1"))
    outbox.put(state("a", "2"))
    let taken = [outbox.take(), outbox.take(), outbox.take()]
    #expect(taken == [state("a", "2"), state("b", "1"), nil] && outbox.isEmpty)
    outbox.put(state("a", "3"))
    let last = outbox.take()
    #expect(last == state("a", "3"))
  }

  @Test func messagesWaitForAcknowledgements() {
    var outbox = Outbox()
    for number in 0..<100 { outbox.put(state("\(number)", "")) }
    var sent: [Int32] = []
    func sendAll() {
      while let publication = outbox.take() {
        sent.append(Int32(sent.count))
        outbox.sent(publication, as: sent[sent.count - 1])
      }
    }
    sendAll()
    #expect(sent.count == Outbox.window)
    let topics = [outbox.acknowledge(0), outbox.acknowledge(0), outbox.acknowledge(99)]
    #expect(topics == ["0", nil, nil])
    sendAll()
    #expect(sent.count == Outbox.window + 1)
    for number in 1..<Int32(100) {
      _ = outbox.acknowledge(number)
      sendAll()
    }
    #expect(sent.count == 100 && outbox.isEmpty)
  }

  @Test func otherMessagesAreBoundedAndKeepTheirOrder() {
    var outbox = Outbox()
    for number in 0..<3_000 { outbox.put(Publication("answer", "\(number)", isRetained: false)) }
    var taken: [String] = []
    while let publication = outbox.take() { taken.append(publication.payload) }
    #expect(taken == (1_976..<3_000).map(String.init))
  }

  @Test func whatABrokerDoesNotTakeCostsNoMoreThanItsBound() {
    var outbox = Outbox()
    for number in 0..<200_000 {
      outbox.put(Publication("answer", "\(number)", isRetained: false))
      outbox.put(state("a", "\(number)"))
    }
    // A walk over all that was dropped took minutes: nothing of it may be left.
    let lengths = Mirror(reflecting: outbox).children.compactMap { ($0.value as? any Collection)?.count }
    #expect(lengths.max().map { 1_024...2_048 ~= $0 } ?? false)
    var taken: [String] = []
    while let publication = outbox.take() { taken.append(publication.payload) }
    #expect(taken.count == 1_025 && Set(taken).count == 1_024 && taken.last == "199999" && outbox.isEmpty)
  }
}

@Suite struct InboxTests {
  @Test func ofATopicTheLastMessageIsKeptAndAllAnswers() {
    var inbox = Inbox()
    inbox.put(Received("a/reg/w/c/now", Array("1".utf8), isRetained: true))
    inbox.put(Received("a/answer", Array("1".utf8), isRetained: false))
    inbox.put(Received("a/answer", Array("2".utf8), isRetained: false))
    inbox.put(Received("a/reg/w/c/now", Array("2".utf8), isRetained: false))
    let taken = inbox.take().map(\.payload)
    #expect(taken == ["2", "1", "2"] && inbox.isEmpty)
  }

  @Test func allMessagesOfAReportAreKept() {
    var inbox = Inbox()
    let messages = ["1", "2"].flatMap { text in
      ["a/knows", "a/knows/c"].map { Received($0, Array(text.utf8), isRetained: false) }
    }
    for message in messages { inbox.put(message) }
    #expect(inbox.take() == messages)
  }

  @Test func batchesFitIntoACallWhateverTheMessagesHold() {
    var inbox = Inbox()
    for number in 0..<60 {
      inbox.put(Received("\(number)/station", Array(repeating: 1, count: 20_000), isRetained: false))
    }
    var count = 0
    while !inbox.isEmpty {
      let batch = inbox.take()
      count += batch.count
      #expect(batch.reduce(0) { $0 + $1.cost } <= Inbox.batch)
    }
    #expect(count == 60)
  }

  @Test func whatTheCoreDoesNotTakeIsBounded() {
    var inbox = Inbox()
    var full: Int?
    let kept = (0..<20_000).count { number in
      if inbox.isFull, full == nil { full = number }
      return inbox.put(Received("\(number)/station", [], isRetained: false))
    }
    #expect(kept == 16_384 && full == 8_192)
    while inbox.isFull { _ = inbox.take() }
    let last = inbox.put(Received("19999/station", Array("1".utf8), isRetained: false))
    #expect(last && !inbox.isEmpty)
  }

  @Test func aMessageReplacesTheOneBeforeAlsoAfterOthersWereTaken() {
    var inbox = Inbox()
    for number in 0..<400 { inbox.put(Received("\(number)/station", Array("1".utf8), isRetained: false)) }
    let first = inbox.take()
    for number in 0..<400 { inbox.put(Received("\(number)/station", Array("2".utf8), isRetained: false)) }
    var rest: [Received] = []
    while !inbox.isEmpty { rest += inbox.take() }
    #expect(first.count == 256 && first.allSatisfy { $0.payload == "1" })
    let topics = (Array(256..<400) + Array(0..<256)).map { "\($0)/station" }
    #expect(rest.map(\.topic) == topics && rest.allSatisfy { $0.payload == "2" })
  }

  @Test func theLengthOfAllIsBounded() {
    var inbox = Inbox()
    let long = Received("", Array(repeating: 0x61, count: 16_000), isRetained: false).payload
    /// Returns the number of messages without room.
    func put(_ count: Int, _ payload: String) -> Int {
      (0..<count).count { number in !inbox.put(Received("\(number)/station", Array(payload.utf8), isRetained: false)) }
    }
    let dropped = put(600, long)
    #expect(70..<80 ~= dropped && inbox.isFull)
    // Shorter ones in their places make room.
    let droppedShort = put(600, "")
    #expect(droppedShort == 0 && !inbox.isFull)
    var taken = 0
    while !inbox.isEmpty { taken += inbox.take().count }
    let droppedLast = put(10, long)
    #expect(taken == 600 && droppedLast == 0)
  }

  @Test func whatIsNoTextBecomesText() {
    let received = Received("a", [0xff, 0x22], isRetained: false)
    #expect(received.payload == "\u{fffd}\"")
  }
}

@Suite struct UnresolvedCommandsTests {
  @Test func oneQuestionIsAskedForAllThatWait() throws {
    var commands = UnresolvedCommands()
    let command = try Command(parsing: #"{"add":"people"}"#.utf8)
    let none = commands.ask()
    #expect(!none)
    _ = commands.put(command)
    let first = [commands.ask(), commands.ask()]
    #expect(first == [true, false])
    let taken = (0..<1_000).count { _ in commands.put(command) }
    let second = commands.ask()
    #expect(taken == 63 && !second)
    #expect(commands.answer() == [command])
    let third = commands.ask()
    #expect(third && commands.answer().count == 63)
    let last = commands.ask()
    #expect(!last && commands.answer() == [])
    _ = commands.put(command)
    let lost = commands.ask()
    commands.forgetQuestion()
    let again = commands.ask()
    #expect(lost && again && commands.answer() == [command])
  }
}
