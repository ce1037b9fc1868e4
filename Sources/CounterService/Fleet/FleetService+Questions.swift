import CounterStore
import CountersAPI
import Counting
import Fleet
import Platform
import Varlink

/// Single events stay with their station: asks other stations for theirs, and answers with the own ones.
extension FleetService {
  // MARK: Asking

  /// Asks another station for a page of the history of a counter.
  ///
  /// - Parameter then: receives the reply to `History`, or the error.
  /// - Returns: the token of the question, and the message to publish.
  /// - Throws: ``CountingError`` or `VarlinkError` if the question cannot be asked.
  func ask(
    _ station: String, _ arguments: Arguments, for user: UInt32, at now: Int64 = Clock.boottime(),
    then: @escaping StationQuestions.Handler
  ) throws -> (token: String, publication: Counters.Publication) {
    guard let membership else { throw CountingError.notInFleet }
    let (local, counter) = try sharedCounter(arguments)
    guard let peer = peers.stations[station] else {
      throw noAnswer(of: station, "No station of the fleet is called “\(station.shortened)”; tally fleet lists them.")
    }
    guard bridge.report?.isConnected ?? false else {
      throw noAnswer(
        of: station, "This station is not connected to the broker, so it cannot ask another; see tally fleet.")
    }
    guard peer.isOnline != false else {
      throw noAnswer(of: station, "The station “\(station)” is offline, and only it has its events.")
    }
    let limit = arguments.integer("limit") ?? 100
    guard 1...1000 ~= limit else { throw VarlinkError.invalidParameter("limit") }
    let page: StationQuestion.Page
    switch (arguments.integer("after"), arguments.integer("before")) {
    case (let after?, nil): page = .after(after)
    case (nil, let before): page = .before(before)
    case (.some, .some): throw VarlinkError.invalidParameter("before")
    }
    let question = StationQuestion(
      counter, token: try Secret().text, to: station, page, limit: limit, from: arguments.integer("from"),
      until: arguments.integer("until"))
    let one = StationQuestions.Open(
      question: question, user: user, counter: local, began: now, published: now, then: then)
    guard questions.add(one) else {
      throw noAnswer(of: station, "Too many questions to other stations are open; try again later.")
    }
    armAsking()
    return (question.token, publication(of: question, membership))
  }

  /// The one shared counter that a question is about.
  private func sharedCounter(_ arguments: Arguments) throws -> (Counter.ID, CounterID) {
    for name in ["id", "producer", "device", "gesture"] where !(arguments[name]?.isNull ?? true) {
      throw VarlinkError.invalidParameter(name)
    }
    let names =
      (arguments["counters"]?.array ?? []).compactMap(\.string) + [arguments.text("counter")].compactMap(\.self)
    guard names.count == 1, let name = names.first else { throw VarlinkError.invalidParameter("counters") }
    let counter = try core.ledger.find(.named(name))
    guard let id = member.counters[counter.id] else {
      throw CountingError.badSetting("counter", reason: "“\(counter.name)” is not shared with the fleet")
    }
    return (counter.id, id)
  }

  private func publication(of question: StationQuestion, _ membership: Membership) -> Counters.Publication {
    Counters.Publication("\(membership.station)/answer", isRetained: false, question.text)
  }

  func noAnswer(of station: String, _ message: String) -> VarlinkError {
    Counters.Refusal(.noAnswer(station: station.shortened), message: message).error
  }

  /// Forgets a question whose client has left.
  func forgetQuestion(_ token: String) {
    questions.remove(token)
    armAsking()
  }

  private func armAsking() {
    if let due = questions.due { asking?.arm(at: due) } else { asking?.disarm() }
  }

  /// Repeats questions, and ends those that had no answer.
  func advanceQuestions(to now: Int64) {
    let (repeated, expired) = questions.advance(to: now)
    if let membership { bridge.send(repeated.map { publication(of: $0, membership) }) }
    for one in expired {
      let station = one.question.station
      let seconds = StationQuestions.patience / 1_000_000_000
      one.then(
        .failure(
          noAnswer(
            of: station,
            "The station “\(station)” did not answer within \(seconds) s. It may be offline, busy, or have an older "
              + "version of Tallymark; see tally fleet.")))
    }
    armAsking()
  }

  /// Ends all questions, because this station leaves the fleet.
  func endQuestions() {
    for one in questions.removeAll() {
      one.then(.failure(noAnswer(of: one.question.station, "This station has left the fleet.")))
    }
    armAsking()
  }

  /// Learns from a question or an answer to this station. Those to others are ignored.
  ///
  /// - Returns: `false` for a message of another kind.
  func learnQuestion(_ members: JSONObject, from name: String) throws(MessageError) -> Bool {
    if members["response"] != nil {
      guard members["to"]?.string == membership?.station else { return true }
      if let answer = try StationAnswer(parsing: members) { learn(answer, from: name) }
      return true
    }
    guard let question = try StationQuestion(parsing: members) else { return false }
    answer(question, from: name) { [weak self] in self?.bridge.send($0) }
    return true
  }

  /// Gives an answer to the client that has asked; does nothing if none has.
  private func learn(_ answer: StationAnswer, from name: String) {
    guard let one = questions.take(answer, from: name) else { return }
    armAsking()
    one.then(Result { try reply(answer, to: one) })
  }

  private func reply(_ answer: StationAnswer, to one: StationQuestions.Open) throws -> EncodedObject {
    let station = one.question.station
    guard let counter = core.ledger[one.counter] else {
      throw CountingError.noSuchCounter("")
    }
    guard case .events(let events, let next) = answer.content else {
      throw noAnswer(of: station, "The station “\(station)” does not count “\(counter.name)”.")
    }
    guard events.count <= Int(one.question.limit), next.map(one.question.page.isFollowed) ?? true else {
      throw noAnswer(of: station, "The answer of the station “\(station)” is not valid.")
    }
    var reply: JSONObject = [
      "events": .array(
        events.map { event in
          var object = event.object
          object["counter"] = .string(counter.name.text)
          object["id"] = .int(counter.id.number)
          if counter.decimals != 0 { object["decimals"] = .int(counter.decimals) }
          return .object(object)
        }), "more": .bool(next != nil),
    ]
    reply["next"] = next.map(JSON.int)
    return EncodedObject(reply)
  }

  // MARK: Answering

  /// The user in whose turns other stations' questions are read: (uid_t)-1, which is no user.
  static let stranger = UInt32.max

  /// Answers a question to this station from a reader thread, if the pace allows.
  ///
  /// - Parameter then: receives the message to publish, in the form of a reply to `LinkFleet`.
  func answer(
    _ question: StationQuestion, from name: String, at now: Int64 = Clock.boottime(),
    then: @escaping (EncodedObject) -> Void
  ) {
    guard let membership, question.station == membership.station, name != membership.station, let readJournal,
      questions.mayAnswer(at: now)
    else { return }
    let topic = "\(membership.station)/answer"
    guard let local = member.locals[question.counter], core.ledger[local] != nil else {
      return then(Self.encoded(StationAnswer(question, to: name, .absent), topic))
    }
    let resetWindow = core.resetWindow
    questions.reading += 1
    readJournal(
      { thread in
        let reader = try thread.reader()
        let answer = try reader.snapshot { try Self.answer(question, of: local, to: name, reader, resetWindow) }
        return Self.encoded(answer, topic)
      },
      { [weak self] result in
        guard let self else { return }
        questions.reading -= 1
        // The station asks again, and says that it had no answer.
        guard case .success(let reply) = result else { return }
        then(reply)
      })
  }

  private static func answer(
    _ question: StationQuestion, of local: Counter.ID, to name: String, _ reader: JournalReader, _ resetWindow: Int64
  ) throws -> StationAnswer {
    let page: JournalReader.Page =
      switch question.page {
      case .before(let sequence): .before(sequence ?? .max)
      case .after(let sequence): .after(sequence)
      }
    let filter = EventFilter(counters: [local], from: question.from, until: question.until)
    let found = try reader.search(filter, page, limit: question.limit + 1)
    let shown = found.events.prefix(Int(question.limit))
    var names = Ledger(groups: try reader.groups())
    names.resetWindow = resetWindow
    let events = try shown.compactMap { event in
      StationEvent(own: try EncodedObject { $0.add(event, in: names) }.parsed())
    }
    return StationAnswer(
      question, to: name, fitting: events,
      next: found.events.count > shown.count ? shown.last?.sequence : found.next)
  }

  private static func encoded(_ answer: StationAnswer, _ topic: String) -> EncodedObject {
    let message = Counters.Publication(topic, isRetained: false, answer.text)
    return EncodedObject { $0.add(Counters.Linked.Member.publications, [message]) { $0.add($1) } }
  }
}
