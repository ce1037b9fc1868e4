import Ctoml

/// A TOML file as values with their positions.
package struct TomlDocument {
  package struct Place: Equatable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  package struct Member {
    package let key: String
    package let place: Place
    package let value: Value
  }

  package struct Value {
    package enum Content {
      case table([Member])
      case array([Value])
      case string(String)
      case integer(Int64)
      case boolean(Bool)
      case float(Double)
      case date
    }

    package let content: Content
    package let place: Place

    /// The kind of value, in plain words.
    package var kind: String {
      switch content {
      case .table: "a table"
      case .array: "a list"
      case .string: "a text"
      case .integer: "a whole number"
      case .boolean: "true or false"
      case .float: "a fraction"
      case .date: "a date or time"
      }
    }
  }

  /// The reason why a text is not TOML, with its position.
  package struct Failure: Error {
    package let reason: String
    package let place: Place
  }

  /// The members of the file, in its order.
  package let members: [Member]

  package init(_ bytes: [UInt8]) throws(Failure) {
    let document = unsafe bytes.withUnsafeBytes { raw in
      unsafe ctoml_read(raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
    }
    guard let document = unsafe document else {
      throw Failure(reason: "there is not enough memory to read it", place: Place(line: 0, column: 0))
    }
    defer { unsafe ctoml_free(document) }
    var place = ctoml_place()
    let reason = unsafe String(text: ctoml_failure(document, &place))
    guard reason.isEmpty else {
      let code = Self.line(Int(place.line), of: bytes).prefix { $0 != "#" }
      let hasQuotes = code.contains { "“”„‟‘’".contains($0) }
      throw Failure(
        reason: hasQuotes ? "“ and ” are not the quotes of TOML; write \" instead" : reason, place: Place(place))
    }
    members = unsafe Self.members(of: ctoml_root(document))
  }

  /// The text of a line, from 1; empty for a missing line.
  private static func line(_ number: Int, of bytes: [UInt8]) -> String {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.indices.contains(number - 1) ? String(decoding: lines[number - 1], as: UTF8.self) : ""
  }

  private static func value(_ value: OpaquePointer?) -> Value {
    let content: Value.Content =
      switch unsafe ctoml_kind_of(value) {
      case ctoml_table: .table(unsafe members(of: value))
      case ctoml_array:
        .array(
          (0..<(unsafe ctoml_count(value))).map { index in unsafe Self.value(ctoml_member(value, index)) })
      case ctoml_string: .string(unsafe String(text: ctoml_string_of(value)))
      case ctoml_integer: .integer(unsafe ctoml_integer_of(value))
      case ctoml_boolean: .boolean(unsafe ctoml_boolean_of(value) != 0)
      case ctoml_float: .float(unsafe ctoml_float_of(value))
      default: .date
      }
    return Value(content: content, place: unsafe Place(ctoml_place_of(value)))
  }

  private static func members(of table: OpaquePointer?) -> [Member] {
    (0..<(unsafe ctoml_count(table))).map { index in
      var place = ctoml_place()
      let key = unsafe String(text: ctoml_key(table, index, &place))
      return Member(key: key, place: Place(place), value: unsafe value(ctoml_member(table, index)))
    }
  }
}

extension TomlDocument.Place {
  fileprivate init(_ place: ctoml_place) { self.init(line: Int(place.line), column: Int(place.column)) }
}

extension String {
  fileprivate init(text: ctoml_text) {
    let bytes = unsafe UnsafeRawBufferPointer(start: text.bytes, count: text.length)
    self = unsafe String(decoding: bytes, as: UTF8.self)
  }
}
