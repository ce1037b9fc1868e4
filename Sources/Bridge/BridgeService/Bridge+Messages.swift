import Bridge
import CoreAPI
import Fleet
import JSON
import Linux
import MQTT
import Tallymark
import Varlink

/// Messages from the broker to the core, and back.
extension MQTTBridge {
  func take(_ message: MQTTReceived) {
    guard let topics, let kind = topics.kind(of: message.topic) else { return }
    hasHeard = true
    // For a command, the flag only shows that its sender published it as retained.
    if message.isRetained, kind != .command, !hasRetained {
      hasRetained = true
      setTrouble(.retained, nil)
    }
    switch kind {
    case .core(let topic):
      let received = Received(topic, message.payload, isRetained: message.isRetained)
      note(received)
      // An empty message removes the message that the broker holds; merged counts stay. A station that leaves removes
      // its description and its counters.
      guard !message.payload.isEmpty || received.removes else { return }
      receive(received)
    case .online(let station): takeOnline(of: station, message, topics)
    case .command: takeCommand(message)
    case .echo:
      path.hear(String(decoding: message.payload.prefix(32), as: UTF8.self), at: Clock.boottime())
      judgePath()
    case .spoken:
      let text = String(decoding: message.payload.prefix(1 << 16), as: UTF8.self)
      hear(message.topic, text)
    case .birth:
      guard message.payload.elementsEqual("online".utf8), !message.isRetained else { return }
      speech.forgetDocuments()
      introduce()
      send()
      plan()
    }
  }

  private func takeOnline(of station: String, _ message: MQTTReceived, _ topics: FleetTopics) {
    let isOnline = message.payload.elementsEqual("online".utf8)
    guard station == topics.station else {
      let isNews =
        message.payload.isEmpty ? speech.speaker.forget(station) : speech.speaker.hear(station, isOnline: isOnline)
      if isNews { plan() }
      // The core shows the state to people, and waits for the end of a station that it forgets.
      return receive(Received("\(station)/online", message.payload, isRetained: message.isRetained))
    }
    if isOnline { return hearEcho() }
    // Another station of this name has left the fleet, and has also removed this station's messages.
    if message.payload.isEmpty { repeatSoon() }
    // The message is the will of an earlier connection, whose end the broker has noticed late. Strangers may send such
    // messages repeatedly.
    greeting?.arm(at: max(Clock.boottime(), greetedAt + Self.greetingPause))
  }

  /// The pause between two replies to messages that report this station as offline, in nanoseconds.
  private static let greetingPause: Int64 = 1_000_000_000

  /// Publishes the description of this station.
  func publishDescription() {
    guard isConnected, let topics, let settings else { return }
    outbox.put(topics.description(id: settings.id, version: Product.version))
    send()
  }

  /// Publishes that this station is online.
  func greet() {
    guard isConnected, let topics else { return }
    greetedAt = Clock.boottime()
    outbox.put(Publication(topics.online, "online", isRetained: true))
    send()
  }

  private func receive(_ message: Received) {
    if !inbox.put(message) { note("Messages of the broker are dropped: the core handles them too slowly.") }
    learn()
  }

  /// Passes received messages to the core, a batch at a time. While too many wait for the core, reading pauses.
  func learn() {
    defer { client?.isPaused = inbox.isFull }
    guard core.canLearn, let topics, let address else { return }
    func place(of topic: String) -> String { address.place(of: topics.full(topic)) }
    var messages: [Counters.StationMessage] = []
    while messages.isEmpty, !inbox.isEmpty {
      messages = inbox.take().compactMap { problems.read($0, at: Clock.boottime(), place: place) }
    }
    showProblems()
    guard !messages.isEmpty else { return }
    if path.isLate(at: Clock.boottime()) {
      for place in messages.indices { messages[place].report?.time = nil }
    }
    reports.hear(messages, of: topics.station, at: Clock.boottime())
    armReport()
    resetSync.hear(messages, of: topics.station, at: Clock.boottime())
    say(historySync.hear(messages, of: topics.station, at: Clock.boottime()).map(\.text))
    core.learn(messages) { [unowned self] result in
      switch result {
      case .success(let reply):
        say(resetSync.learn(reply, at: Clock.boottime()).map(\.text))
        historySync.learn(reply, at: Clock.boottime())
        readRows()
        problems.learn(reply, at: Clock.boottime(), place: place)
        showProblems()
        carry(reply.publications)
      case .failure(let error): note("The core did not take messages: \(error).", isQuote: true)
      }
      learn()
    }
  }

  /// Publishes messages of the core; topics are relative to the fleet.
  func carry(_ publications: [Counters.Publication]) {
    guard let topics else { return }
    for one in publications {
      let (topic, payload) = (one.topic, one.payload)
      problems.say(one, at: Clock.boottime())
      // Read before a connection, too, because the broker's first messages are about these counters.
      if topic.hasPrefix("\(topics.station)/def/") { readDefinition(payload) }
      if isConnected, payload.isEmpty, topic.hasSuffix("/station") { removeDocuments(of: topic.dropLast(8)) }
      if isConnected { outbox.put(Publication(topics.full(topic), payload, isRetained: one.isRetained)) }
    }
    // Messages that are not retained are reports, which this station sends after news of others: a good time to probe
    // the path.
    if publications.contains(where: { !$0.isRetained }) { probePath() }
    send()
    plan()
  }

  /// Removes the documents about another station, which the core forgets, or about the former name of this one.
  private func removeDocuments(of station: Substring) {
    guard let topics, let former = FleetTopics(fleet: topics.fleet, station: String(station)), former != topics else {
      return
    }
    for document in options.discovery.station(former, version: Product.version) {
      outbox.put(Publication(document.topic, "", isRetained: true))
    }
  }

  /// Sends waiting messages, as far as the broker acknowledges them.
  func send() {
    while isConnected, let client, let publication = outbox.take() {
      let message = MQTTMessage(
        publication.topic, publication.payload, quality: publication.quality, isRetained: publication.isRetained)
      // A failure ends the connection, and the next one begins with all messages.
      guard let number = client.publish(message) else {
        if isConnected, self.client != nil {
          note("A message of \(publication.payload.utf8.count) bytes for \(publication.topic) cannot be published.")
        }
        continue
      }
      outbox.sent(publication, as: number)
    }
  }
}

// MARK: Reports

extension MQTTBridge {
  /// Has the core report what it knows, if that is due.
  func sendReport() {
    guard isConnected, let request = reports.next(at: Clock.boottime()) else { return }
    core.read(request) { _ in }
  }

  func armReport() { if let due = reports.due { reportTimer?.arm(at: due) } }
}

// MARK: Questions and answers

/// Questions and answers about resets and the history.
extension MQTTBridge {
  /// Sends questions and answers that are due, and reads the rows for answers.
  func talk() {
    isTalkArmed = false
    guard isConnected else { return }
    if problems.takeDescription(at: Clock.boottime()) { publishDescription() }
    say(resetSync.questions(at: Clock.boottime()).map(\.text))
    for request in historySync.due(at: Clock.boottime()) {
      core.read(request.call) { [unowned self] result in
        guard case .success(let reply) = result else { return }
        say(historySync.questions(reply, of: request, at: Clock.boottime()).map(\.text))
      }
    }
    readRows()
  }

  /// Reads rows for which other stations ask, as many as may be sent now.
  func readRows() {
    defer { armTalking() }
    guard core.isOpen else { return }
    if let request = resetSync.next(at: Clock.boottime()) {
      core.read(request.call) { [unowned self] result in
        say(resetSync.take(try? result.get(), for: request, at: Clock.boottime()).map(\.text))
        readRows()
      }
    }
    if let request = historySync.next(at: Clock.boottime()) {
      core.read(request.call) { [unowned self] result in
        say(historySync.take(try? result.get(), for: request).map(\.text))
        readRows()
      }
    }
  }

  /// Publishes messages that are not retained, and that do not replace each other.
  private func say(_ texts: [String]) {
    guard isConnected, let topics, !texts.isEmpty else { return }
    for text in texts { outbox.put(Publication(topics.answers, text, isRetained: false)) }
    send()
  }

  func armTalking() {
    guard resetSync.isWaiting || historySync.isWaiting || problems.isDescribing, !isTalkArmed else { return }
    isTalkArmed = true
    talking?.arm(at: Clock.boottime() + ResetSync.second)
  }
}
