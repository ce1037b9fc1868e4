import CoreAPI
import Counting
import Fleet
import JSON
import Linux
import Varlink

/// Removes stations that will not come back. Their counts stay.
extension FleetService {
  /// The time in which the broker must accept the messages, in nanoseconds.
  static let removalTime: Int64 = 5_000_000_000

  typealias Handler = (Result<EncodedObject, any Error>) -> Void

  /// A station that is being removed.
  struct Removal {
    let topics: [String]
    /// The end of the wait, in nanoseconds of ``Clock/boottime()``.
    let end: Int64
    let then: Handler
  }

  /// Removes another station at all stations, as soon as the broker has accepted the messages.
  ///
  /// - Parameter then: receives the reply to `ForgetStation`, or the error.
  /// - Returns: the messages to publish.
  /// - Throws: ``CountingError`` or `VarlinkError` if the station cannot be removed.
  func forgetStation(
    _ name: String, at now: Int64 = Clock.boottime(), then: @escaping Handler
  ) throws -> [Counters.Publication] {
    func refusal(_ reason: String) -> CountingError { .badSetting("station", reason: reason) }
    guard let membership else { throw CountingError.notInFleet }
    guard name != membership.station else {
      throw refusal("“\(name)” is this station; to leave the fleet, run: tally fleet leave")
    }
    // A station known only by its counters on the broker can block their adoption.
    let offered = peers.offers.counters(offeredBy: name)
    guard peers.stations[name] != nil || !offered.isEmpty else {
      throw refusal("no other station of the fleet is called “\(name.shortened)”; tally fleet lists them")
    }
    guard peers.stations[name]?.isOnline != true else {
      throw refusal("“\(name)” is online; to remove it, run there: tally fleet leave")
    }
    guard removals[name] == nil else { throw refusal("“\(name)” is being forgotten already") }
    guard bridge.report?.isConnected ?? false else {
      throw noAnswer(
        of: name, "This station is not connected to the broker, so that no other would hear of it; see tally fleet.")
    }
    // Once the broker has accepted the last message, it returns that message to the bridge.
    let topics = offered.map { "\(name)/def/\($0)" } + ["\(name)/station", "\(name)/online"]
    removals[name] = Removal(topics: topics, end: now &+ Self.removalTime, then: then)
    armRemoving()
    return topics.map { Counters.Publication($0, isRetained: true, "") }
  }

  /// Ends the removal of a station, because the broker has removed the state of the station's connection.
  func endRemoval(of name: String) {
    guard let removal = removals.removeValue(forKey: name) else { return }
    armRemoving()
    peers.forget(name)
    removal.then(.success(EncodedObject { _ in }))
  }

  /// Ends the removals that the broker did not accept in time.
  func expireRemovals(at now: Int64) {
    for (name, removal) in removals where now >= removal.end {
      removals[name] = nil
      let prefix = membership.map { "\($0.broker.publisher) -r -n -t tallymark/\($0.fleet)/" } ?? ""
      let topics = removal.topics.map { $0.dropFirst(name.utf8.count + 1) }.joined(separator: " ")
      removal.then(
        .failure(
          noAnswer(
            of: name,
            "The broker did not remove “\(name)”; it probably lets this station write its own topics only. A user who may "
              + "write all of them can remove it: for t in \(topics); do "
              + "\(prefix)\(name)/$t; done")))
    }
    armRemoving()
  }

  private func noAnswer(of station: String, _ message: String) -> VarlinkError {
    Counters.Refusal(.noAnswer(station: station.shortened), message: message).error
  }

  private func armRemoving() {
    if let end = removals.values.map(\.end).min() { removing?.arm(at: end) } else { removing?.disarm() }
  }

  /// Ends all removals, because this station leaves the fleet.
  func endRemovals() {
    for (name, removal) in removals {
      removal.then(.failure(noAnswer(of: name, "This station has left the fleet.")))
    }
    removals = [:]
    armRemoving()
  }
}
