import Bridge
import Platform
import Tallymark
import Varlink

/// The values of the fleet, published by the first station for programs that know nothing of stations.
extension MQTTBridge {
  /// The shortest time between two questions to the core, in nanoseconds.
  private static let pace: Int64 = 200_000_000
  /// The time without values after a new connection, in nanoseconds.
  private static let silence: Int64 = 2_000_000_000
  /// A second document within a second would be lost (Home Assistant 2025.4).
  private static let documentPace: Int64 = 2_000_000_000

  /// Has the values looked at soon, since some may have changed.
  func plan() {
    guard isConnected, plannedAt == nil else { return }
    arm(at: max(Clock.boottime() + speech.speaker.wait, spokenAt + Self.pace))
  }

  private func arm(at time: Int64) {
    plannedAt = time
    speaking?.arm(at: time)
  }

  /// Reads the settings of a counter, as this station publishes them.
  func describe(_ definition: String) {
    guard let members = (try? JSON(parsing: definition))?.object, let id = members["counter"]?.string,
      definitions.count < 1_024 || definitions[id] != nil
    else { return }
    definitions[id] = members
  }

  /// Asks the core for the values, and publishes those that the broker lacks.
  func speak() {
    plannedAt = nil
    spokenAt = Clock.boottime()
    core.fleet { [unowned self] result in
      switch result {
      case .failure(let error):
        note(
          "The core does not tell this user the counters, so that their values are not published: \(error). Add it to "
            + "read in /etc/tallymark/core.toml.")
      case .success(let reply): publish(reply)
      }
    }
  }

  /// Reads the counters of a reply to `Fleet`.
  @discardableResult
  func readCounters(_ reply: JSONObject) -> [SharedCounter] {
    let counters = (reply["counters"]?.array ?? []).compactMap(\.object).compactMap(SharedCounter.init)
      .map { counter in
        var counter = counter
        if let definition = definitions[counter.id] { counter.describe(definition) }
        return counter
      }
    speech.counters = Dictionary(counters.map { ($0.id, $0) }) { first, _ in first }
    return counters
  }

  private func publish(_ reply: JSONObject) {
    guard isConnected, let topics else { return }
    let counters = readCounters(reply)
    // First what others have counted is learned, so that no old value is published.
    let begin = connectedAt + Self.silence
    guard Clock.boottime() >= begin else {
      if plannedAt == nil { arm(at: begin) }
      return
    }
    let (stations, missing) = (speech.speaker.stations, speech.speaker.missing)
    let values = counters.flatMap { counter in
      [
        Publication(
          topics.state(of: counter.id), counter.state(stations: stations.count, missing: missing), isRetained: true),
        Publication(topics.value(of: counter.id), counter.number, isRetained: true),
      ]
    }
    let documents =
      counters.isEmpty
      ? []
      : options.discovery.publications(
        topics, speaker: speech.speaker.name, stations: stations, counters: counters, version: Product.version)
    let now = Clock.boottime()
    let absent = speech.missing(of: values + documents)
    missedAt = absent.isEmpty ? nil : missedAt ?? now
    guard let missedAt else { return }
    var rest = false
    for publication in absent {
      let isDocument = publication.topic.hasPrefix("homeassistant/")
      let isDue = !speech.due(of: [publication], since: missedAt - speech.speaker.wait, now: now).isEmpty
      guard isDue, !isDocument || now - documentsAt >= Self.documentPace || documentsAt == now else {
        rest = true
        continue
      }
      if isDocument { documentsAt = now }
      speech.hear(publication.topic, publication.payload, now: now)
      outbox.put(publication)
    }
    send()
    if rest, plannedAt == nil { arm(at: now + max(speech.speaker.wait, Self.documentPace)) }
  }
}
