import Counting
public import Varlink

extension Counters {
  /// A call of a method, with a typed reply.
  public struct Request<Reply: Structure>: Equatable, Sendable {
    public let method: Method
    public private(set) var parameters: JSONObject = [:]

    /// - Parameter values: the parameters; those that are `nil` are left out.
    init(
      _ method: Method, _ values: KeyValuePairs<Parameter, (any MemberValue)?> = [:], _ settings: Settings = [:]
    ) {
      self.method = method
      add(settings)
      for (parameter, value) in values {
        if let value { parameters[parameter] = value.json }
      }
    }

    /// Adds settings in the form in which Create, Set and their like take them.
    private mutating func add(_ settings: Settings) {
      var cleared: [String] = []
      for field in Field.allCases {
        let name = field == .name ? Parameter.newName.rawValue.text : field.rawValue
        switch settings[field] {
        case nil: break
        case Field.Value.none?: cleared.append(field.rawValue)
        case .integer(let number)?: parameters[name] = field == .archived ? .bool(number != 0) : .int(number)
        case .text(let text)? where field == .tags: parameters[name] = text.split(separator: " ").map(String.init).json
        case .text(let text)?: parameters[name] = .string(text)
        }
      }
      if !cleared.isEmpty { parameters[Parameter.clear] = cleared.json }
    }

    private mutating func set(_ parameter: Parameter, _ value: some MemberValue) {
      parameters[parameter] = value.json
    }
  }
}

extension Counters.Request where Reply: ChangeReply {
  /// The same change with a cause. A change without a cause is recorded as caused by "client".
  public func caused(by cause: Counters.Cause) -> Self {
    var request = self
    request.set(.cause, cause)
    return request
  }
}

// MARK: Questions

extension Counters.Request<Counters.Listing> {
  /// All counters and formulas.
  public static var list: Self { .init(.list) }

  /// The counters and formulas with these names; `nil` for all.
  public static func list(_ names: [String]?) -> Self { .init(.list, [.counters: names]) }
}

extension Counters.Request<Counters.Found> {
  /// - Parameter name: a counter; `nil` for the current one.
  public static func get(_ name: String?) -> Self { .init(.get, [.name: name]) }
}

extension Counters.Request<Counters.GroupList> {
  public static var groups: Self { .init(.groups) }
}

extension Counters.Request<Counters.Overview> {
  /// - Parameter group: `nil` for the counters without a group.
  public static func overview(group: String?) -> Self { .init(.overview, [.group: group]) }
}

extension Counters {
  /// Conditions for events, all of which must hold; those that are `nil` are not checked.
  public struct EventFilter: Equatable, Sendable {
    public var counter: String?
    public var counters: [String]?
    public var id: Int64?
    public var producer: String?
    /// Part of the device's name.
    public var device: String?
    public var gesture: String?
    /// In microseconds since 1970.
    public var from: Int64?
    public var until: Int64?

    public init(
      counter: String? = nil, counters: [String]? = nil, id: Int64? = nil, producer: String? = nil,
      device: String? = nil, gesture: String? = nil, from: Int64? = nil, until: Int64? = nil
    ) {
      self.counter = counter
      self.counters = counters
      self.id = id
      self.producer = producer
      self.device = device
      self.gesture = gesture
      self.from = from
      self.until = until
    }
  }
}

extension Counters.Request<Counters.EventPage> {
  /// The newest events, newest first.
  ///
  /// - Parameters:
  ///   - sequence: only events before this one; `nil` for all.
  ///   - limit: 1 to 1000; `nil` for 100.
  public static func history(
    before sequence: Int64? = nil, limit: Int64? = nil, _ filter: Counters.EventFilter = .init()
  ) -> Self { history(filter, .before, sequence, limit) }

  /// The events after one, oldest first.
  public static func history(
    after sequence: Int64, limit: Int64? = nil, _ filter: Counters.EventFilter = .init()
  ) -> Self { history(filter, .after, sequence, limit) }

  private static func history(
    _ filter: Counters.EventFilter, _ direction: Counters.Parameter, _ sequence: Int64?, _ limit: Int64?
  ) -> Self {
    .init(
      .history,
      [
        .counter: filter.counter, .counters: filter.counters, .id: filter.id, .producer: filter.producer,
        .device: filter.device, .gesture: filter.gesture, .from: filter.from, .until: filter.until,
        direction: sequence, .limit: limit,
      ])
  }
}

extension Counters.Request<Counters.Totals> {
  /// The sums of counters between each two of `bounds`.
  ///
  /// - Parameters:
  ///   - counters: `nil` for all.
  ///   - bounds: 2 to 2001 times in ascending order, in microseconds since 1970.
  ///   - each: whether the reply has the sums of each counter as well.
  ///   - own: whether counts of other stations are left out. Likewise.
  public static func totals(
    counter: String? = nil, counters: [String]? = nil, bounds: [Int64], each: Bool? = nil, own: Bool? = nil
  ) -> Self { .init(.totals, [.counter: counter, .counters: counters, .bounds: bounds, .each: each, .own: own]) }
}

extension Counters.Request<Counters.Statistics> {
  /// - Parameters:
  ///   - from: in microseconds since 1970, as `until`; `nil` for the beginning.
  ///   - until: `nil` for now.
  ///   - own: whether counts of other stations are left out.
  public static func statistics(
    counter: String? = nil, counters: [String]? = nil, from: Int64? = nil, until: Int64? = nil, own: Bool? = nil
  ) -> Self {
    .init(.statistics, [.counter: counter, .counters: counters, .from: from, .until: until, .own: own])
  }
}

extension Counters.Request<Counters.PastValues> {
  /// The values of counters and formulas at a time, in microseconds since 1970.
  public static func past(counters: [String]? = nil, time: Int64) -> Self {
    .init(.past, [.counters: counters, .time: time])
  }
}

extension Counters.Request<Counters.Watched> {
  /// The counters, then each change. A stream: see ``CountersClient/stream(_:each:)``.
  ///
  /// - Parameter counters: counters and formulas; `nil` for all.
  public static func watch(counters: [String]? = nil) -> Self { .init(.watch, [.counters: counters]) }
}

extension Counters.Request<Counters.Exported> {
  /// As a stream everything; as a call one page.
  ///
  /// - Parameter sequence: the event after which the page of events begins; `nil` for the definitions.
  public static func export(after sequence: Int64? = nil) -> Self { .init(.export, [.after: sequence]) }
}

// MARK: Deliveries

extension Counters.Request<Counters.Opened> {
  /// Opens a new epoch of a producer.
  public static func open(producer: String) -> Self { .init(.open, [.producer: producer]) }
}

extension Counters.Request<Counters.Delivered> {
  /// Makes all of the changes or none, once per producer, epoch and sequence number.
  public static func deliver(producer: String, epoch: Int64, sequence: Int64, _ changes: [Counters.Change]) -> Self {
    .init(.deliver, [.producer: producer, .epoch: epoch, .sequence: sequence, .changes: changes])
  }
}
