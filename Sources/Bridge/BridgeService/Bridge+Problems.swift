import Bridge
import Fleet
import Linux
import MQTT
import Text

/// Troubles: missing rights at the broker, and sentences for the log and for `tally fleet`.
extension MQTTBridge {
  /// The times until refused messages are retried, and until a retry without a refusal is a success, in nanoseconds.
  private static let (retryWait, quietWait): (Int64, Int64) = (15_000_000_000, 5_000_000_000)

  /// The time in which a broker may deliver all retained messages, apart from waiting for the core, in nanoseconds.
  private static let longestBurst: Int64 = 120_000_000_000

  private var readRight: String {
    let fleet = topics?.fleet ?? ""
    return "The broker delivers nothing of tallymark/\(fleet) to this station. Give its user the rights to read "
      + "tallymark/\(fleet)/# and to write tallymark/\(fleet)/\(topics?.station ?? "")/#."
  }

  func acknowledge(_ topic: String, _ code: Int32) {
    guard let topics, code >= 128 else { return }
    let (own, all) = (topics.full(topics.station + "/"), topics.full("all/"))
    let (kind, others): (Problems.Kind, String)
    if topic.hasPrefix(own) {
      (kind, others) = (.write, own + "#")
    } else if topic.hasPrefix("homeassistant/") {
      (kind, others) = (.documents, "homeassistant/#")
    } else if topic.hasPrefix(all) {
      (kind, others) = (.values, all + "#")
    } else {
      // The topic belongs to a station that the core is removing, and the core itself waits for the broker; or the
      // topic belongs to this station's former name.
      return
    }
    let consequence =
      switch kind {
      // Another station may publish for the fleet.
      case .documents:
        ": Home Assistant does not find counters for which this station speaks. Give its user that right, or start "
          + "tally-mqttd with --discovery off."
      case .values: ": it cannot publish the values of counters for which it speaks. Give its user that right."
      default: ". Give its user that right."
      }
    refusals.kinds.insert(kind)
    speech.refuse(topic)
    repeatLater()
    setTrouble(kind, "The broker does not let this station write \(others) (reason \(code))\(consequence)")
  }

  /// Records the reply to a subscription.
  func subscribed(_ number: Int32, isGranted: Bool) {
    guard refusals.reply(number, isGranted: isGranted) else { return }
    guard !refusals.filters.isEmpty else { return setTrouble(.subscriptions, nil) }
    repeatLater()
    setTrouble(
      .subscriptions,
      "The broker does not let this station read \(refusals.filters.map(\.text).joined(separator: ", ")). Give its user "
        + "that right.")
  }

  func subscribe(_ filter: FleetTopics.Filter) {
    let number = client?.subscribe(
      filter.text, quality: filter.quality, isWithoutOwn: filter.isWithoutOwn, showsRetained: filter.showsRetained)
    if let number { refusals.sent(filter, as: number) }
  }

  /// Repeats the subscriptions, which makes the broker send its state again, because the core has lost that state.
  func subscribeAgain() {
    guard isConnected, let topics else { return }
    // Refused subscriptions are sent again anyway.
    for filter in topics.stateFilters where !refusals.filters.contains(filter) { subscribe(filter) }
  }

  /// Publishes everything again: soon, but at most once a minute, because strangers can cause it.
  func repeatSoon() {
    refusals.isRepeating = false
    refusals.kinds.insert(.write)
    again?.arm(at: max(Clock.boottime() + 1_000_000_000, repeatedAt + 60_000_000_000))
  }

  private func repeatLater() {
    refusals.isRepeating = false
    again?.arm(at: Clock.boottime() + Self.retryWait)
  }

  /// Publishes refused messages again. A trouble ends when no message of its kind is refused any more.
  func repeatRefused() {
    guard isConnected, let topics else { return }
    let kinds = refusals.kinds
    if refusals.isRepeating {
      refusals.isRepeating = false
      for kind in [Problems.Kind.write, .values, .documents] where !kinds.contains(kind) { setTrouble(kind, nil) }
      return
    }
    (refusals.kinds, refusals.isRepeating) = ([], true)
    // A station that is not the first of a counter waits before it publishes.
    again?.arm(at: Clock.boottime() + Self.quietWait + speech.wait(for: definitions.keys))
    refusals.takeFilters().forEach(subscribe)
    speech.forgetRefused()
    if kinds.contains(.write) {
      repeatedAt = Clock.boottime()
      outbox.put(Publication(topics.online, "online", isRetained: true))
      core.link()
    }
    introduce()
    send()
    plan()
  }

  func hearEcho() {
    guard echoAwaited else { return }
    echoAwaited = false
    echo?.disarm()
    // The message that has come back is retained, so the broker must deliver it to a new subscription.
    if !hasRetained, let topics {
      isRetainedAwaited = true
      subscribe(topics.onlineFilter)
      echo?.arm(at: Clock.boottime() + Self.quietWait)
    }
    guard troubles[.read] != nil else { return }
    setTrouble(.read, nil)
    // The broker has granted the subscriptions without delivering its retained messages.
    subscribeAgain()
    // MQTT 3.1.1 does not report that a message was refused.
    if version == .v311 { repeatSoon() }
  }

  func missEcho() {
    guard isConnected else { return }
    guard echoAwaited else {
      if isRetainedAwaited, !hasRetained {
        setTrouble(
          .retained,
          "The broker does not deliver what it holds (retained messages), so that a station that comes late, or Home "
            + "Assistant, waits until others speak again. Use a broker that does, such as mosquitto.")
      }
      isRetainedAwaited = false
      return
    }
    let now = Clock.boottime()
    // The broker sends the own message after all retained ones, so this check waits while messages arrive. The time is
    // limited, because other messages may never stop for a station that may read only a part.
    if !inbox.isEmpty || hasHeard && now - connectedAt < Self.longestBurst {
      hasHeard = false
      echo?.arm(at: now + Self.quietWait)
      return
    }
    // A missing right may be granted at any time.
    echo?.arm(at: now + Self.retryWait)
    // Refused messages are published again anyway.
    guard troubles[.write] == nil else { return }
    setTrouble(.read, readRight)
    greet()
  }

  /// Sends a message of this station to itself, unless one is awaited.
  func probePath() {
    guard isConnected, let topics, let text = path.next(at: Clock.boottime()) else { return }
    outbox.put(Publication(topics.echo, text, isRetained: false))
    pathTimer?.arm(at: Clock.boottime() + PathDelay.limit)
  }

  /// Sets or ends the trouble of a slow path.
  func judgePath() {
    let isLate = path.isLate(at: Clock.boottime())
    // If the inbox is full, the core is slow, not the path.
    setTrouble(
      .late,
      isLate && !inbox.isFull
        ? "The path from the broker is slow, and its messages arrive late: counts of others are on their way." : nil)
    guard isLate else { return }
    // The station may have nothing else to send, and the next message shows when the path is well again.
    probePath()
    pathTimer?.arm(at: Clock.boottime() + PathDelay.limit)
    send()
  }

  // MARK: Sentences

  /// Sets or ends a trouble, logs it once, and reports it to the core.
  func setTrouble(_ kind: Problems.Kind, _ sentence: String?) {
    if troubles.set(kind, sentence) { showState(news: sentence) }
  }

  /// Logs the troubles, or that the station is connected, and reports the state to the core.
  func showState(news: String? = nil) {
    reportState()
    let list = troubles.list
    var sentence = list.isEmpty ? nil : list.joined(separator: " ")
    let isWell = sentence == nil && isConnected
    if isWell, let address, let topics {
      sentence =
        "Station \(topics.station) of the fleet \(topics.fleet) is connected to the broker at \(address)"
        + (version == .v5 ? "." : " by MQTT 3.1.1.")
    }
    log(logged.set(sentence, news: news, isWell: isWell, now: Clock.boottime()))
    if let time = logged.dueTime { problemTimer?.arm(at: time) }
  }

  /// Logs the new problems of messages and names, and reports them to the core.
  func showProblems() {
    for line in problems.takeLines() { note(line, isQuote: true) }
    if problems.report(at: Clock.boottime()) != reportedProblems { reportState() }
    armTalking()
  }

  /// Reports the state to the core, and again when a problem has lapsed.
  func reportState() {
    let now = Clock.boottime()
    let report = problems.report(at: now)
    reportedProblems = report
    core.report(
      isConnected: isConnected, trouble: troubles.report, problems: report.sentences, isCopied: report.isCopied)
    if let lapse = problems.nextLapse(after: now) { lapsing?.arm(at: lapse) }
  }

  /// Logs the present state, unless it was logged last.
  func logLastingProblem() { log(logged.lastingState(now: Clock.boottime())) }

  private func log(_ state: String?) {
    guard let state else { return }
    ServiceProcess.log(troubles.list.isEmpty ? .notice : .warning, state.printableLine)
  }

  /// Logs a sentence. An equal sentence is logged again only after ten minutes, or after a connection that has lasted.
  ///
  /// - Parameter isQuote: whether a stranger can cause many of these sentences.
  func note(_ sentence: String, isQuote: Bool = false) {
    let line = sentence.printableLine
    if logged.isNew(line, isQuote: isQuote, now: Clock.boottime()) { ServiceProcess.log(.warning, line) }
  }
}
