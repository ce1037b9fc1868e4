/// The present troubles, by kind.
public struct Problems: Equatable, Sendable {
  public enum Kind: Int, CaseIterable, Sendable {
    /// There is no core, or it refuses the link.
    case core
    /// The fleet's settings cannot be used.
    case settings
    /// There is no connection to the broker.
    case broker
    /// The broker refuses topics of this station, values of the fleet, or documents for Home Assistant.
    case write, values, documents
    /// The broker refuses subscriptions, or delivers nothing.
    case subscriptions, read
    /// The broker does not deliver retained messages, or delivers all messages late.
    case retained, late
  }

  private var sentences: [Kind: String] = [:]

  public init() {}

  public subscript(kind: Kind) -> String? { sentences[kind] }

  /// Sets or ends a trouble; returns whether that is a change.
  public mutating func set(_ kind: Kind, _ sentence: String?) -> Bool {
    defer { sentences[kind] = sentence }
    return sentence != sentences[kind]
  }

  /// Ends the troubles of a connection to the broker.
  public mutating func endConnection() {
    for kind in Kind.allCases where kind.rawValue >= Kind.broker.rawValue { sentences[kind] = nil }
  }

  /// The sentences in the order of their kinds.
  public var list: [String] { Kind.allCases.compactMap { sentences[$0] } }
  /// The report to the core, which shows each line to people.
  public var report: String? {
    let lines = Kind.allCases.filter { $0 != .core }.compactMap { sentences[$0] }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
