import Counting
import Varlink

/// The members of one line.
struct ArchiveMembers {
  private let object: JSONObject

  /// What is wrong with it.
  struct Fault: Error {
    let reason: String
  }

  init(_ value: JSON) throws {
    guard let object = value.object else { throw Fault(reason: "it holds no object") }
    self.object = object
  }

  func integer(_ name: String) throws -> Int64 {
    guard let number = object[name]?.int else {
      throw Fault(reason: "its \(name) is missing or no whole number")
    }
    return number
  }

  func text(_ name: String) throws -> String {
    guard let text = object[name]?.string else {
      throw Fault(reason: "its \(name) is missing or no text")
    }
    return text
  }

  func optionalInteger(_ name: String) -> Int64? { object[name]?.int }

  func optionalText(_ name: String) -> String? { object[name]?.string }

  func flag(_ name: String) -> Bool { object[name]?.bool ?? false }

  func id() throws -> Counter.ID { Counter.ID(try integer("id")) }

  func name() throws -> CounterName { try CounterName(try text("name")) }

  func settings(_ set: (Field, Field.Value) -> Void) throws {
    for field in Field.allCases {
      guard let value = object[field.rawValue] else { continue }
      let read = try fieldValue(value)
      set(field, field.isSetting && field != .group ? try field.accepted(read) : read)
    }
  }

  func alterations() throws -> [Alteration] {
    try (object["alterations"]?.array ?? []).map { entry in
      guard let parts = entry.array, parts.count == 3,
        let field = parts[0].string.flatMap(Field.init)
      else {
        throw Fault(reason: "its alterations make no sense")
      }
      return Alteration(field, from: try fieldValue(parts[1]), to: try fieldValue(parts[2]))
    }
  }

  private func fieldValue(_ value: JSON) throws -> Field.Value {
    switch value {
    case .null: return .none
    case .int(let number): return .integer(number)
    case .string(let text) where text.utf8.count <= 16_000: return .text(text)
    default: throw Fault(reason: "a setting is neither a text nor a whole number")
    }
  }
}
