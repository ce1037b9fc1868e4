public import CoreAPI
import Fleet
public import JSON

/// A counter of the fleet, as the core describes it to this station.
public struct SharedCounter: Equatable, Sendable {
  /// The ID: 32 hexadecimal digits.
  public let id: String
  /// The name at this station.
  public let name: String
  /// The value in units of the last decimal.
  public var value: Int64
  public var title: String
  public var decimals: Int
  public var step: Int64
  /// Whether the counter restarts with each period.
  public var hasPeriod = false
  var start: Int64 = 0
  var (target, maximum): (Int64?, Int64?)

  /// - Returns: `nil` for an invalid ID.
  public init?(id: String, name: String, value: Int64 = 0) {
    guard CounterID(id) != nil else { return nil }
    (self.id, self.name, self.value, title, decimals, step) = (id, name, value, name, 0, 1)
  }

  /// - Parameter counter: a counter of the reply to `Fleet`.
  public init?(_ counter: Counters.SharedCounter) {
    guard !counter.name.isEmpty else { return nil }
    self.init(id: counter.id, name: counter.name, value: counter.value)
  }

  /// Adds the settings that the core publishes as `STATION/def/COUNTER`.
  public mutating func describe(_ definition: JSONObject) {
    if let title = definition["title"]?.string, !title.isEmpty { self.title = title }
    if let decimals = definition["decimals"]?.int, 0...9 ~= decimals { self.decimals = Int(decimals) }
    if let step = definition["step"]?.int, step >= 1 { self.step = step }
    hasPeriod = definition["period"]?.isNull == false
    start = definition["start"]?.int ?? 0
    (target, maximum) = (definition["target"]?.int, definition["maximum"]?.int)
  }

  /// The value as a plain decimal number: "12.5".
  public var number: String { Self.decimal(value, decimals) }

  static func decimal(_ value: Int64, _ decimals: Int) -> String {
    guard decimals > 0 else { return String(value) }
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return (value < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// The distance to the target; 0 once it is reached.
  private var left: Int64? {
    target.map { target in
      let distance = Int128(target) - Int128(value)
      return Int64(clamping: max(0, target < start ? -distance : distance))
    }
  }

  /// The content of `all/COUNTER/state`; the value comes first.
  public func state(stations: Int, missing: [String], since: String? = nil) -> String {
    var members: JSONObject = [
      "stations": .int(Int64(stations)), "missing": .array(missing.map(JSON.string)), "name": .string(title),
    ]
    members["since"] = since.map(JSON.string)
    if let maximum { members["full"] = .bool(value >= maximum) }
    // Numbers as text would be quoted, and as floating point rounded.
    let numbers = [("value", value), ("target", target), ("left", left), ("maximum", maximum)].compactMap {
      name, units in
      units.map { "\"\(name)\":\(Self.decimal($0, decimals))," }
    }
    return "{" + numbers.joined() + members.description.dropFirst()
  }
}
