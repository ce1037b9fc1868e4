public import Counting
public import Varlink

/// Fleets: many stations that count the same counters.
extension Counters {
  /// A message of a station. The topic is relative to `tallymark/FLEET/`.
  public struct Publication: Structure {
    public enum Member: MemberName, InterfaceMember { case topic, retained, payload }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(_ topic: String, isRetained: Bool = false, _ payload: String) {
      object = [:]
      self[.topic] = topic
      self[.retained] = isRetained
      self[.payload] = payload
    }

    public var topic: String { self[.topic] ?? "" }
    public var isRetained: Bool { self[.retained] ?? false }
    public var payload: String { self[.payload] ?? "" }
  }

  public struct FleetStation: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, id, own, online, behind, lag, heard, contribution, clock, version, lastSeen
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    public var id: String { self[.id] ?? "" }
    public var isOwn: Bool { self[.own] ?? false }
    /// `nil` if the bridge has not told, or is not connected.
    public var isOnline: Bool? { self[.online] }
    /// How many changes of the core's station it has not heard, by its last report.
    public var behind: Int64? { self[.behind] }
    /// For how long the first of these has been published, in microseconds.
    public var lag: Int64? { self[.lag] }
    public var heard: Int64? { self[.heard] }
    /// Its share of the totals of all counters; `nil` if these differ in their decimals.
    public var contribution: Int64? { self[.contribution] }
    /// How far its clock is ahead, in microseconds.
    public var clock: Int64? { self[.clock] }
    public var version: String? { self[.version] }
    /// In microseconds since 1970.
    public var lastSeen: Int64? { self[.lastSeen] }
  }

  public struct SharedCounter: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, id, value, own, unheard, decimals, shares, others, kept
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    public var id: String { self[.id] ?? "" }
    /// The total of all stations, with the start.
    public var value: Int64 { self[.value] ?? 0 }
    public var own: Int64 { self[.own] ?? 0 }
    /// The number of own changes that no other station has reported.
    public var unheard: Int64? { self[.unheard] }
    public var unit: Unit { Unit(isTime: false, decimals: self[.decimals]) }
    /// The parts of the total, without the start.
    public var shares: [StationCounts] { self[.shares] ?? [] }
    /// The part of the total that no station says is its own.
    public var others: Int64 { self[.others] ?? 0 }
    /// What stations that had not heard of the last reset yet had counted by then; it stays.
    public var kept: [StationCounts] { self[.kept] ?? [] }
  }

  /// Counts of a station, as their sum.
  public struct StationCounts: Structure {
    public enum Member: MemberName, InterfaceMember { case station, change }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var station: String { self[.station] ?? "" }
    public var change: Int64 { self[.change] ?? 0 }
  }

  /// A counter that another station shares and that is not adopted here.
  public struct Offer: Structure {
    public enum Member: MemberName, InterfaceMember { case name, id, title, decimals, station, here, taken }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    public var id: String { self[.id] ?? "" }
    public var title: String { self[.title] ?? name }
    public var decimals: Int64 { self[.decimals] ?? 0 }
    public var station: String { self[.station] ?? "" }
    /// The counter here that was it before, or else the one of its name that can become it.
    public var here: String? { self[.here] }
    /// Whether something else here has its name.
    public var isTaken: Bool { self[.taken] ?? false }
  }

  /// The reply to `Fleet`.
  public struct FleetState: Structure {
    public enum Member: MemberName, InterfaceMember {
      case fleet, station, id, broker, connected, trouble, stations, others, counters, offers
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// `nil` outside of a fleet.
    public var fleet: String? { self[.fleet] }
    public var station: String? { self[.station] }
    public var id: String? { self[.id] }
    /// Without a password.
    public var broker: String? { self[.broker] }
    public var isConnected: Bool { self[.connected] ?? false }
    /// Sentences, one a line.
    public var trouble: String? { self[.trouble] }
    public var stations: [FleetStation] { self[.stations] ?? [] }
    /// The part of the totals that no station says is its own; 0 also if counters differ in their decimals.
    public var others: Int64 { self[.others] ?? 0 }
    public var counters: [SharedCounter] { self[.counters] ?? [] }
    public var offers: [Offer] { self[.offers] ?? [] }
  }

  /// The reply of a method that returns nothing.
  public struct Done: Structure {
    public enum Member: InterfaceMember {
      public init?(rawValue: MemberName) { nil }
      public var rawValue: MemberName { switch self {} }
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }
  }

  /// The reply to `ShareCounter`.
  public struct Shared: Structure {
    public enum Member: MemberName, InterfaceMember { case id }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var id: String { self[.id] ?? "" }
  }

  /// The reply to `AdoptCounter`.
  public struct Adopted: ChangeReply {
    public enum Member: MemberName, InterfaceMember { case id, event }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var id: String { self[.id] ?? "" }
    public var event: Event { self[.event] ?? Event() }
  }

  /// One reply to `LinkFleet`.
  public struct Linked: Structure {
    public enum Member: MemberName, InterfaceMember { case fleet, station, id, broker, publications, left }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// `nil` in a reply that only has new messages.
    public var fleet: String? { self[.fleet] }
    public var station: String? { self[.station] }
    public var id: String? { self[.id] }
    public var broker: String? { self[.broker] }
    public var publications: [Publication] { self[.publications] ?? [] }
    public var hasLeft: Bool { self[.left] ?? false }
  }

  /// The reply to `LearnFleet`.
  public struct Learned: Structure {
    public enum Member: MemberName, InterfaceMember { case publications, problems }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var publications: [Publication] { self[.publications] ?? [] }
    public var problems: [String] { self[.problems] ?? [] }
  }
}

// MARK: Requests

extension Counters.Request<Counters.FleetState> {
  public static var fleet: Self { fleet(brief: nil) }

  /// - Parameter brief: whether the reply has nothing whose length other stations decide.
  public static func fleet(brief: Bool?) -> Self { .init(.fleet, [.brief: brief]) }
}

extension Counters.Request<Counters.Done> {
  /// - Parameters:
  ///   - broker: the URL of an MQTT broker; `nil` for the present one.
  ///   - fleet: `nil` for the present one.
  public static func joinFleet(broker: String?, fleet: String?, station: String) -> Self {
    .init(.joinFleet, [.broker: broker, .fleet: fleet, .station: station])
  }

  public static var leaveFleet: Self { .init(.leaveFleet) }

  /// Removes a station that will not come back.
  public static func forgetStation(_ station: String) -> Self { .init(.forgetStation, [.station: station]) }

  /// Reports the state of the bridge's connection.
  public static func reportFleet(isConnected: Bool, trouble: String? = nil) -> Self {
    .init(.reportFleet, [.connected: isConnected, .trouble: trouble])
  }
}

extension Counters.Request<Counters.Shared> {
  public static func shareCounter(_ name: String) -> Self { .init(.shareCounter, [.name: name]) }
}

extension Counters.Request<Counters.Adopted> {
  /// - Parameters:
  ///   - name: the name or the ID of an offer.
  ///   - bring: whether the count of a counter of that name is added to the total; `nil` if there is none.
  ///   - new: the name here; `nil` for that of the offer.
  public static func adoptCounter(_ name: String, bring: Bool? = nil, as new: String? = nil) -> Self {
    .init(.adoptCounter, [.name: name, .bring: bring, .new: new])
  }
}

extension Counters.Request<Counters.Linked> {
  /// The settings and messages for the bridge. A stream: see ``CountersClient/stream(_:each:)``.
  public static var linkFleet: Self { .init(.linkFleet) }
}

extension Counters.Request<Counters.Learned> {
  public static func learnFleet(_ messages: [Counters.Publication]) -> Self {
    .init(.learnFleet, [.messages: messages])
  }
}
