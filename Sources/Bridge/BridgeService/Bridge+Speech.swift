import Bridge
import CoreAPI
import JSON
import Linux
import MQTT
import Tallymark

/// The values of the fleet, published by the first station of each counter for programs that do not know the stations.
extension MQTTBridge {
  /// The shortest time between two questions to the core, in nanoseconds.
  private static let pace: Int64 = 200_000_000
  /// The time after a new connection in which no value is published, in nanoseconds.
  private static let silence: Int64 = 2_000_000_000
  /// The time in which the broker sends retained messages, and the stations their reports, in nanoseconds.
  private static let settling: Int64 = 10_000_000_000

  /// Schedules a look at the values, because some may have changed. A station that has become the first looks earlier
  /// than scheduled.
  func plan() {
    guard isConnected else { return }
    let now = Clock.boottime()
    arm(at: max(now + speech.wait(for: definitions.keys), spokenAt + Self.pace), since: now)
  }

  private func arm(at time: Int64, since: Int64) {
    let (former, begin) = planned.map { ($0.time, min($0.since, since)) } ?? (.max, since)
    planned = (min(former, time), begin)
    if time < former { speaking?.arm(at: time) }
  }

  /// Reads the settings of a counter, as this station publishes them.
  func readDefinition(_ definition: String) {
    guard let members = (try? JSON(parsing: definition))?.object, let id = members["counter"]?.string,
      definitions.count < 1_024 || definitions[id] != nil
    else { return }
    definitions[id] = members
  }

  /// Asks the core for the values, and publishes those that the broker lacks.
  func speak() {
    spokenAt = Clock.boottime()
    let since = planned?.since ?? spokenAt
    planned = nil
    let hasRemovals = hasRemovals
    self.hasRemovals = false
    core.fleet { [unowned self] result in
      switch result {
      case .failure(let error):
        note(
          "The core does not tell this user the counters, so that their values are not published: \(error). Add it to "
            + "read in /etc/tallymark/core.toml.")
      case .success(let reply):
        publish(reply, since: since)
        if hasRemovals { forgetDefinitions() }
      }
    }
  }

  /// Reads the counters of a reply to `Fleet`.
  @discardableResult
  func readCounters(_ reply: Counters.FleetReply) -> [SharedCounter] {
    let counters = reply.counters.compactMap { SharedCounter($0) }
      .map { counter in
        var counter = counter
        if let definition = definitions[counter.id] { counter.describe(definition) }
        return counter
      }
    speech.counters = Dictionary(counters.map { ($0.id, $0) }) { first, _ in first }
    return counters
  }

  private func publish(_ reply: Counters.FleetReply, since: Int64) {
    guard isConnected, let topics else { return }
    let counters = readCounters(reply)
    let now = Clock.boottime()
    // The counts of others are merged first, so that no old value is published.
    let begin = connectedAt + Self.silence
    guard now >= begin else { return arm(at: begin, since: since) }
    let isSettling = removeAbandoned(now)
    let held = counters.map { speech.hold($0, since: resets.since($0.id), now: now) }
    let ready = zip(counters, held).filter { $0.1 == nil }.map(\.0)
    if let end = held.compactMap(\.self).min() { arm(at: end, since: since) }
    let wanted = values(of: ready, topics) + documents(of: counters, topics)
    let (due, next) = speech.due(of: wanted, since: since, now: now)
    for publication in due { say(publication, now) }
    send()
    if let next { arm(at: next, since: now) }
    if isSettling { arm(at: connectedAt + Self.settling, since: now) }
  }

  private func values(of counters: [SharedCounter], _ topics: FleetTopics) -> [Publication] {
    let (stations, missing) = (speech.speaker.stations, speech.speaker.missing)
    return counters.flatMap { counter in
      let state = counter.state(stations: stations.count, missing: missing, since: resets.since(counter.id))
      return [
        Publication(topics.state(of: counter.id), state, isRetained: true),
        Publication(topics.value(of: counter.id), counter.number, isRetained: true),
      ]
    }
  }

  private func documents(of counters: [SharedCounter], _ topics: FleetTopics) -> [Publication] {
    counters.flatMap { counter in
      options.discovery.publications(
        topics, isObeying: isObeying, stations: speech.stations(of: counter.id), counters: [counter],
        version: Product.version)
    }
  }

  /// Publishes the documents about this station, which no other station publishes.
  func introduce() {
    guard let topics else { return }
    for document in options.discovery.station(topics, version: Product.version) { outbox.put(document) }
  }

  private func say(_ publication: Publication, _ now: Int64) {
    speech.hear(publication.topic, publication.payload, now: now, isOwn: true)
    if publication.topic.hasSuffix("/state"), let counter = Discovery.counter(of: publication.topic) {
      resets.tell(counter)
    }
    outbox.put(publication)
  }

  /// Records a message that the broker holds.
  func hear(_ topic: String, _ payload: String) {
    speech.hear(topic, payload, now: Clock.boottime())
    guard topic.hasSuffix("/state"), let counter = Discovery.counter(of: topic), isCounted(counter) else { return }
    resets.hear(counter, payload, now: Clock.microsecondsSince1970() / 1_000_000)
  }

  // MARK: The end of counters and stations

  /// Withdraws the settings of counters that are not shared here any more.
  private func forgetDefinitions() {
    guard isConnected, let topics else { return }
    for counter in definitions.keys where speech.counters[counter] == nil {
      definitions[counter] = nil
      outbox.put(Publication(topics.definition(of: counter), "", isRetained: true))
    }
    send()
  }

  /// Removes the values and documents of counters that no station counts, if this station is the first; returns whether
  /// some are left.
  private func removeAbandoned(_ now: Int64) -> Bool {
    guard speech.speaker.isFirst, !speech.abandoned.isEmpty else { return false }
    // By that time the broker has sent the definitions, which show the counters of each station.
    guard now - connectedAt >= Self.settling else { return true }
    for topic in speech.abandoned { say(Publication(topic, "", isRetained: true), now) }
    return false
  }

  /// Removes all messages of this station from the broker except its counts, on which others rely, and the values of
  /// counters that no other station counts.
  func withdraw() {
    guard let topics, let client else { return }
    let counters = Array(speech.counters.keys) + definitions.keys.filter { speech.counters[$0] == nil }
    var gone =
      options.discovery.station(topics, version: Product.version).map(\.topic) + counters.map(topics.definition)
    for counter in counters where !speech.isDefinedElsewhere(counter) { gone += speech.topics(of: counter) }
    // "online" comes last, because the broker sends it back: sending to a closed connection may fail and keep the
    // broker from reading later messages.
    gone += [topics.description, topics.online]
    for topic in gone { _ = client.publish(MQTTMessage(topic, "", quality: 0, isRetained: true)) }
    hasWithdrawn = true
  }

  // MARK: Events

  /// Reads from a message between stations which station counts a counter, and when the counter restarted.
  func note(_ message: Received) {
    let levels = message.topic.split(separator: "/")
    guard levels.count >= 2, let topics, levels[0] != topics.station else { return }
    let now = Clock.boottime()
    switch levels[1] {
    case "station": speech.speaker.describe(String(levels[0]), isGone: message.payload.isEmpty)
    case "def" where levels.count >= 3:
      let counter = String(levels[2])
      guard speech.define(counter, by: String(levels[0]), isGone: message.payload.isEmpty) else { return }
      if !isCounted(counter) { resets.forget(counter) }
      plan()
    case "reg":
      // Stations send all resets again when they connect, such as after a broker's restart.
      resets.read(
        message.payload, isNew: !message.isRetained && now - connectedAt >= Self.settling,
        now: Clock.microsecondsSince1970() / 1_000_000, isCounted: isCounted)
    default: break
    }
  }

  /// Whether a station counts the counter with that ID.
  private func isCounted(_ counter: String) -> Bool {
    definitions[counter] != nil || speech.isDefinedElsewhere(counter)
  }

  /// The shared counter with a local name, as this station publishes it.
  private func defined(_ name: String) -> SharedCounter? {
    guard let (id, definition) = definitions.first(where: { $0.value["name"]?.string == name }),
      var counter = SharedCounter(id: id, name: name)
    else { return nil }
    counter.describe(definition)
    return counter
  }

  /// Publishes an event of a counter at this station.
  func take(_ event: Counters.Event) {
    // A counter that is removed is not shared any more.
    if event.kind == "removed" {
      hasRemovals = true
      plan()
    }
    guard let topics, let counter = defined(event.counter) else { return }
    let count = CounterEvent(event)
    if let count, count.isBeginning {
      resets.begin(counter.id, at: count.time / 1_000_000)
      // The value may wait for this event.
      plan()
    }
    guard isConnected else { return }
    let now = Clock.boottime()
    var news = [count].compactMap(\.self).filter { _ in quota.take(now: now) }
    // When a count at any station reaches the goal, each station has an event for it; only the speaker publishes the
    // milestone.
    if speech.isSpeaker(of: counter.id) {
      news += CounterEvent.milestones(of: event, counter).filter { _ in milestoneQuota.take(now: now) }
    }
    for one in news { outbox.put(one.publication(of: counter, topics)) }
    send()
  }
}
