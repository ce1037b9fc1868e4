import Gestures
import Text
import Toml

/// Reads the tables of a configuration or of the list of known devices, and collects all errors in them.
struct ConfigurationReader {
  typealias Member = TomlDocument.Member
  typealias Value = TomlDocument.Value
  typealias Place = TomlDocument.Place

  let file: String
  let keys: KeyNames
  private(set) var errors: [ConfigurationError] = []

  mutating func fail(_ place: Place, _ reason: String, hint: String? = nil) {
    errors.append(
      ConfigurationError(file: file, line: place.line, column: place.column, reason: reason, hint: hint))
  }

  // MARK: The file

  /// Parses the file as TOML and checks the names of its tables.
  mutating func members(of bytes: [UInt8], known: [String]) throws(ConfigurationErrors) -> [Member] {
    guard bytes.count <= Configuration.sizeLimit else {
      fail(Place(line: 0, column: 0), "this is larger than 1 MiB and cannot be a configuration")
      throw ConfigurationErrors(errors: errors)
    }
    do throws(TomlDocument.Failure) {
      let members = try TomlDocument(bytes).members
      checkKeys(members, of: "the file", known: known)
      return members
    } catch {
      fail(error.place, "this is not TOML", hint: error.reason)
      throw ConfigurationErrors(errors: errors)
    }
  }

  /// Throws the collected errors, if there are any.
  func finish() throws(ConfigurationErrors) {
    guard errors.isEmpty else {
      throw ConfigurationErrors(errors: errors.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }
  }

  // MARK: Plain values

  /// Refuses unknown members, because a mistake in a key must not pass for a default.
  mutating func checkKeys(_ members: [Member], of table: String, known: [String]) {
    for member in members where !known.contains(member.key) {
      let guess = Suggestion.phrase(for: member.key, among: known)
      fail(
        member.place, "\(table) has no \"\(member.key)\"", hint: guess ?? "it has \(known.joined(separator: ", "))")
    }
  }

  mutating func string(_ key: String, _ value: Value) -> String? {
    guard case .string(let text) = value.content else {
      fail(value.place, "\(key) must be a text in quotes, and this is \(value.kind)")
      return nil
    }
    guard !text.isEmpty else {
      fail(value.place, "\(key) is empty")
      return nil
    }
    return text
  }

  /// Reads one of the texts of a choice.
  ///
  /// - Parameters:
  ///   - fault: the end of the error's sentence, after "is".
  ///   - help: the hint for an unknown text; by default, a list of the texts.
  mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, _ value: Value, fault: String? = nil, help: String? = nil
  ) -> Choice? {
    guard let text = string(key, value) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    fail(
      value.place, "\"\(text)\" is \(fault ?? "no \(key)")",
      hint: Suggestion.phrase(for: text, among: known) ?? help ?? "it can be \(known.joined(separator: ", "))")
    return nil
  }

  /// Reads the members of a table.
  ///
  /// - Parameter heading: the line with which the table begins, for the hint.
  mutating func table(_ key: String, _ value: Value, heading: String) -> [Member]? {
    if case .table(let members) = value.content { return members }
    fail(value.place, "\(key) must be a table, and this is \(value.kind)", hint: "write \(heading)")
    return nil
  }

  /// One text, or a list of alternative texts.
  mutating func strings(_ key: String, _ value: Value) -> [(text: String, place: Place)] {
    guard case .array(let values) = value.content else {
      return string(key, value).map { [($0, value.place)] } ?? []
    }
    if values.isEmpty { fail(value.place, "\(key) is an empty list") }
    return values.compactMap { value in string(key, value).map { ($0, value.place) } }
  }

  mutating func number(_ key: String, _ value: Value) -> Double? {
    switch value.content {
    case .integer(let number): return Double(number)
    case .float(let number) where number.isFinite: return number
    case .float(let number):
      fail(value.place, "\(key) must be a finite number, and this is \(number)")
      return nil
    default:
      fail(value.place, "\(key) must be a number, and this is \(value.kind)")
      return nil
    }
  }

  /// A whole number within a range.
  mutating func integer(_ key: String, _ value: Value, in range: ClosedRange<Int64>) -> Int? {
    guard case .integer(let number) = value.content, range.contains(number) else {
      fail(value.place, "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return Int(number)
  }

  /// Two whole numbers: columns and rows.
  mutating func pair(_ key: String, _ value: Value, upTo limits: (Int, Int), hint: String) -> (Int, Int)? {
    guard case .array(let values) = value.content, values.count == 2, case .integer(let first) = values[0].content,
      case .integer(let second) = values[1].content
    else {
      fail(value.place, "\(key) must be a list of two whole numbers", hint: hint)
      return nil
    }
    guard 1...Int64(limits.0) ~= first, 1...Int64(limits.1) ~= second else {
      fail(
        value.place, "\(key) is [\(first), \(second)], but must be from [1, 1] to [\(limits.0), \(limits.1)]",
        hint: hint)
      return nil
    }
    return (Int(first), Int(second))
  }

  mutating func boolean(_ key: String, _ value: Value) -> Bool? {
    guard case .boolean(let flag) = value.content else {
      fail(value.place, "\(key) must be true or false, and this is \(value.kind)")
      return nil
    }
    return flag
  }

  /// The maximum number of `[[bind]]`, `[[device]]` or `[[feedback]]` tables in one list, and of zones: enough for a
  /// binding per cell of the finest grid. Bounded, because each table is compared with all others.
  static let mostTables = Screen.mostCells * Screen.mostCells

  /// The tables of `[[key]]`.
  mutating func tables(_ key: String, _ value: Value) -> [(members: [Member], place: Place)] {
    guard case .array(let values) = value.content else {
      fail(value.place, "\(key) can be given many times, so it must be written [[\(key)]]")
      return []
    }
    guard values.count <= Self.mostTables else {
      fail(
        values[Self.mostTables].place,
        "there are \(values.count) [[\(key)]] in one list, and there can be at most \(Self.mostTables)")
      return []
    }
    return values.compactMap { value in
      table(key, value, heading: "[[\(key)]]").map { ($0, value.place) }
    }
  }

  // MARK: Devices

  /// Reads the conditions among the members of a device.
  mutating func conditions(_ members: [Member], of table: String, at place: Place) -> DeviceConditions {
    var conditions = DeviceConditions()
    let errorsBefore = errors.count
    for member in members {
      switch member.key {
      case "name": conditions.names = strings("name", member.value).map(\.text)
      case "id":
        for (text, place) in strings("id", member.value) {
          guard let identity = DeviceConditions.Identity(text) else {
            fail(
              place, "\"\(text)\" is no id",
              hint: "vendor and product have four hexadecimal digits each, as in 0c45:7403"
            )
            continue
          }
          conditions.identities.append(identity)
        }
      case "bus":
        guard let text = string("bus", member.value) else { continue }
        conditions.bus = Self.buses[text]
        if conditions.bus == nil {
          let known = Self.buses.keys.sorted()
          fail(
            member.value.place, "\"\(text)\" is no bus that is known here",
            hint: Suggestion.phrase(for: text, among: known) ?? "it can be \(known.joined(separator: ", "))")
        }
      case "uniq": conditions.uniq = string("uniq", member.value)
      case "phys": conditions.phys = string("phys", member.value)
      case "label": conditions.label = string("label", member.value)
      case "path": conditions.path = string("path", member.value)
      case "udev":
        guard case .table(let properties) = member.value.content, !properties.isEmpty else {
          fail(
            member.value.place, "udev must be a table of properties, and this is \(member.value.kind)",
            hint: "udev = { ID_MODEL = \"FootSwitch*\" }")
          continue
        }
        for property in properties { conditions.udev[property.key] = string(property.key, property.value) }
      default: break
      }
    }
    if !conditions.isTelling, errors.count == errorsBefore {
      fail(
        place, "\(table) does not say which device is meant",
        hint: "give it a name, id, uniq, phys, label, udev or path")
    }
    return conditions
  }

  static let conditionKeys = ["name", "id", "bus", "uniq", "phys", "label", "udev", "path"]

  /// The buses that distinguish devices, with the kernel's numbers.
  private static let buses: [String: UInt16] = ["usb": 3, "bluetooth": 5]
}

extension DeviceConditions.Identity {
  /// Parses `vendor:product` in hexadecimal digits.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) }),
      let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
    else { return nil }
    self.init(vendor: vendor, product: product)
  }
}
