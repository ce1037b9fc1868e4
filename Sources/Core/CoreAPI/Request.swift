public import Counting
public import JSON
import Varlink

extension Counters {
  /// A call of a method, with a typed reply.
  public struct Request<Reply: Structure>: Equatable, Sendable {
    public let method: Method
    public private(set) var parameters: JSONObject = [:]

    /// - Parameter values: the parameters; `nil` values are left out.
    init(
      _ method: Method, _ values: KeyValuePairs<Parameter, (any MemberValue)?> = [:], _ settings: Settings = [:]
    ) {
      self.method = method
      add(settings)
      for (parameter, value) in values {
        if let value { parameters[parameter] = value.json }
      }
    }

    /// Adds settings in the form of the parameters of Create, Set and similar methods.
    private mutating func add(_ settings: Settings) {
      var cleared: [String] = []
      for field in Field.allCases {
        guard let name = Parameter(of: field) else { continue }
        switch settings[field] {
        case nil: break
        case Field.Value.none?: cleared.append(field.rawValue)
        case .integer(let number)?: parameters[name] = field.kind == .flag ? .bool(number != 0) : .int(number)
        case .text(let text)? where field.kind == .words:
          parameters[name] = text.split(separator: " ").map(String.init).json
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

extension Counters.Parameter {
  /// The parameter of a setting, which has the field's name; `nil` for a field that no request sets.
  public init?(of field: Field) {
    guard field != .name else {
      self = .newName
      return
    }
    guard let parameter = Self.byName[field.rawValue] else { return nil }
    self = parameter
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.text, $0) })
}

extension Counters.Counter.Member {
  /// The member of a setting, which has the field's name.
  public init?(of field: Field) {
    guard let member = Self.allCases.first(where: { $0.rawValue.text == field.rawValue }) else { return nil }
    self = member
  }

  /// The settings that are shown as they are.
  public static let plain = Field.plain.compactMap { field in Self(of: field).map { (field, $0) } }

  /// The settings in the counter's unit.
  public static let amounts = Field.amounts.compactMap(Self.init)
}

extension Counters.Request where Reply: ChangeReply {
  /// The same change with a cause. A change without a cause is recorded as caused by "client".
  public func caused(by cause: Counters.Cause) -> Self {
    var request = self
    request.set(.cause, cause)
    return request
  }
}

extension Counters.Request<Counters.ListReply> {
  /// All counters and formulas.
  public static var list: Self { .list() }
}

extension Counters {
  /// Conditions for events, all of which must hold; `nil` for no condition.
  public struct EventFilter: Equatable, Sendable {
    public var counters: [String]?
    public var id: Int64?
    public var producer: String?
    /// Part of the device's name.
    public var device: String?
    public var gesture: String?
    /// The earliest time, in microseconds since 1970.
    public var from: Int64?
    public var until: Int64?

    public init(
      counters: [String]? = nil, id: Int64? = nil, producer: String? = nil, device: String? = nil,
      gesture: String? = nil, from: Int64? = nil, until: Int64? = nil
    ) {
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

extension Counters.Request<Counters.HistoryReply> {
  /// A page of events that match a filter.
  ///
  /// - Parameters:
  ///   - after: the events after this one, oldest first; with neither this nor `before` the newest, newest first.
  ///   - before: the events before this one, newest first.
  ///   - limit: 1 to 1000; `nil` for 100.
  public static func history(
    after: Int64? = nil, before: Int64? = nil, limit: Int64? = nil, _ filter: Counters.EventFilter
  ) -> Self {
    .history(
      counters: filter.counters, after: after, before: before, limit: limit, producer: filter.producer,
      device: filter.device, gesture: filter.gesture, from: filter.from,
      until: filter.until, id: filter.id)
  }
}
