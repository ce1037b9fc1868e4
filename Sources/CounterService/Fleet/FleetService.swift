import CounterStore
import CountersAPI
import Counting
import Fleet
import Platform
import Tallymark
import Varlink

/// The core's side of a fleet: its membership, the bridge that is linked, and what is known of other stations.
final class FleetService {
  unowned let core: Core
  /// `nil` outside of a fleet.
  private(set) var membership: Membership?
  /// The calls of `LinkFleet`.
  private var links: [ObjectIdentifier: Call] = [:]
  /// The last report of the bridge; `nil` before the first.
  private(set) var report: Report?

  struct Report {
    let isConnected: Bool
    let trouble: String?
  }

  init(core: Core, loop: EventLoop) throws {
    self.core = core
    membership = try core.store.membership()
  }

  // MARK: Membership

  /// Joins a fleet, or changes the broker or the name of the station.
  func join(broker: String, fleet: String, station: String) throws {
    guard let broker = BrokerURL(broker) else {
      throw CountingError.badSetting(
        "broker", reason: "it must be the URL of an MQTT broker, such as mqtt://HOST or mqtts://USER:PASSWORD@HOST:8883")
    }
    for (setting, name) in [("fleet", fleet), ("station", station)] where !Membership.isName(name) {
      throw CountingError.badSetting(
        setting, reason: "it must have 1 to 32 of a-z, 0-9 and “-”, and must not begin with “-” or be “all”")
    }
    if let membership, membership.fleet != fleet {
      throw CountingError.badSetting("fleet", reason: "this core is in the fleet “\(membership.fleet)”; leave it first")
    }
    var random = SystemRandomNumberGenerator()
    let id = membership?.id ?? CounterID.random(using: &random).description
    let joined = Membership(fleet: fleet, station: station, id: id, broker: broker)
    try core.storing { () throws(StoreError) in try core.store.save(joined) }
    membership = joined
    core.whenDurable { [weak self] outcome in
      if case .durable = outcome { self?.announceSettings() }
    }
  }

  func leave() throws {
    guard membership != nil else { throw CountingError.notInFleet }
    try core.storing { () throws(StoreError) in try core.store.leaveFleet() }
    membership = nil
    report = nil
    core.whenDurable { [weak self] outcome in
      if case .durable = outcome { self?.announceSettings() }
    }
  }

  // MARK: The bridge

  /// Starts a link: sends the settings and all messages, then what is new.
  func link(_ call: Call) {
    guard call.requireMore() else { return }
    core.whenDurable { [self] _ in
      links[ObjectIdentifier(call)] = call
      call.onGone = { [weak self, id = ObjectIdentifier(call)] in self?.unlink(id) }
      if membership != nil { call.replyContinuing(settings()) }
    }
  }

  private func unlink(_ id: ObjectIdentifier) {
    links[id] = nil
    if links.isEmpty { report = nil }
  }

  private func announceSettings() {
    for call in links.values {
      call.replyContinuing(membership == nil ? EncodedObject { $0.add(Counters.Linked.Member.left, true) } : settings())
    }
  }

  /// The settings, with everything that is published at a connection.
  private func settings() -> EncodedObject {
    EncodedObject { reply in
      typealias Member = Counters.Linked.Member
      guard let membership else { return }
      reply.add(Member.fleet, membership.fleet)
      reply.add(Member.station, membership.station)
      reply.add(Member.id, membership.id)
      reply.add(Member.broker, membership.broker.description)
      reply.add(Member.publications, publications()) { $0.add($1) }
    }
  }

  private func publications() -> [Counters.Publication] {
    guard let membership else { return [] }
    let text: JSONObject = [
      "version": 1, "id": .string(membership.id), "name": .string(membership.station), "product": .string(Product.version),
    ]
    return [Counters.Publication("\(membership.station)/station", isRetained: true, text.description)]
  }

  func learn(_ messages: [Counters.Received]) -> (publications: [Counters.Publication], problems: [String]) { ([], []) }

  func hear(_ report: Report) { self.report = report }
}

extension CountingError {
  static var notInFleet: CountingError { .badSetting("fleet", reason: "this core is in no fleet; join one first") }
}

extension ObjectWriter {
  mutating func add(_ publication: Counters.Publication) {
    typealias Member = Counters.Publication.Member
    add(Member.topic, publication.topic)
    add(Member.retained, publication.isRetained)
    add(Member.payload, publication.payload)
  }
}
