import Text
import Toml

/// Parses `core.toml` and collects all errors in it.
struct CoreConfigurationReader {
  let file: String
  private(set) var errors: [ConfigurationError] = []

  init(file: String) { self.file = file }

  mutating func configuration(of bytes: [UInt8]) -> CoreConfiguration {
    var configuration = CoreConfiguration()
    guard bytes.count <= CoreConfiguration.sizeLimit else {
      errors.append(ConfigurationError(file: file, line: 0, column: 0, reason: "the file is longer than 1 MiB"))
      return configuration
    }
    let document: TomlDocument
    do throws(TomlDocument.Failure) {
      document = try TomlDocument(bytes)
    } catch {
      fail(error.place, error.reason)
      return configuration
    }
    for member in document.members {
      switch member.key {
      case "rights":
        for entry in table(member) {
          guard let right = Right(rawValue: entry.key) else {
            fail(unknown: entry, in: "[rights]", known: Right.allCases.map(\.rawValue))
            continue
          }
          configuration.rights.holders[right] = holders(entry)
        }
      case "limits": readLimits(table(member), into: &configuration.userLimits)
      case "reset-window":
        configuration.resetWindow = window(member) ?? configuration.resetWindow
      default: fail(unknown: member, in: "core.toml", known: ["rights", "limits", "reset-window"])
      }
    }
    return configuration
  }

  /// Seconds, converted to microseconds: long enough for a second press, and short enough to expire before another
  /// person arrives.
  private mutating func window(_ member: TomlDocument.Member) -> Int64? {
    let seconds: Double? =
      switch member.value.content {
      case .integer(let number): Double(number)
      case .float(let number): number
      default: nil
      }
    guard let seconds, 0.5...60 ~= seconds else {
      fail(member.value.place, "\(member.key) must be a number of seconds from 0.5 to 60")
      return nil
    }
    return Int64(seconds * 1_000_000)
  }

  private mutating func readLimits(_ members: [TomlDocument.Member], into limits: inout CoreConfiguration.Limits) {
    for member in members {
      switch member.key {
      case "connections": limits.connections = number(member, in: 1...4096) ?? limits.connections
      case "calls": limits.calls = number(member, in: 1...1_000_000) ?? limits.calls
      default: fail(unknown: member, in: "[limits]", known: ["connections", "calls"])
      }
    }
  }

  private mutating func holders(_ member: TomlDocument.Member) -> [Rights.Holder] {
    let hint = "write \(member.key) = [\"alice\", \"@staff\"]: a user, a group, or \"*\" for everyone"
    guard case .array(let values) = member.value.content else {
      fail(member.value.place, "\(member.key) must be a list, and this is \(member.value.kind)", hint: hint)
      return []
    }
    var holders: [Rights.Holder] = []
    for value in values {
      guard case .string(let text) = value.content, let holder = Rights.Holder(text) else {
        fail(value.place, "this is not a user, a group or \"*\"", hint: hint)
        continue
      }
      if !holders.contains(holder) { holders.append(holder) }
    }
    return holders
  }

  private mutating func table(_ member: TomlDocument.Member) -> [TomlDocument.Member] {
    guard case .table(let members) = member.value.content else {
      fail(
        member.place, "\(member.key) must be a table, and this is \(member.value.kind)", hint: "write [\(member.key)]")
      return []
    }
    return members
  }

  private mutating func number(_ member: TomlDocument.Member, in range: ClosedRange<Int64>) -> Int? {
    guard case .integer(let number) = member.value.content, range.contains(number) else {
      fail(
        member.value.place, "\(member.key) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return Int(number)
  }

  private mutating func fail(unknown member: TomlDocument.Member, in table: String, known: [String]) {
    let guess = Suggestion.phrase(for: member.key, among: known)
    fail(member.place, "\(table) has no \"\(member.key)\"", hint: guess ?? "it has \(known.joined(separator: ", "))")
  }

  private mutating func fail(_ place: TomlDocument.Place, _ reason: String, hint: String? = nil) {
    errors.append(ConfigurationError(file: file, line: place.line, column: place.column, reason: reason, hint: hint))
  }
}
