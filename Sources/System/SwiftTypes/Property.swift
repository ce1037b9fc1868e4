import JSON
import Varlink

/// A member of a structure as a Swift property.
struct Property {
  let member: String
  let comments: [String]
  let type: String
  /// The Swift type of a member that is present.
  private let present: String
  /// The Swift value for a member that is absent; `nil` if that value is `nil`.
  let absent: String?
  /// Whether the interface allows the member to be absent.
  private let isOptional: Bool
  private let isFlag: Bool

  init(_ field: Interface.Field, in namespace: String) throws(SwiftTypes.Unsupported) {
    member = field.name
    comments = field.comments
    var type = field.type
    if case .nullable(let present) = type {
      isOptional = true
      type = present
    } else {
      isOptional = false
    }
    isFlag = type == .bool
    present = try Self.name(type, of: field.name, in: namespace)
    switch type {
    case .bool: (self.type, absent) = (present, "false")
    case .array: (self.type, absent) = (present, "[]")
    case _ where isOptional: (self.type, absent) = ("\(present)?", nil)
    case .int: (self.type, absent) = (present, "0")
    case .string: (self.type, absent) = (present, "\"\"")
    default: (self.type, absent) = (present, "\(present)()")
    }
  }

  /// The name of the property.
  var name: String { isFlag ? "is\(member.capitalised)" : member }

  var identifier: String { SwiftText.identifier(name) }

  /// The expression that stores `newValue`.
  var stored: String {
    guard isOptional else { return "newValue" }
    return if isFlag { "newValue ? true : nil" } else if absent == "[]" { "newValue.isEmpty ? nil : newValue" } else {
      "newValue"
    }
  }

  /// The parameter of a function that makes a request. The first one, the name of the subject, has no label.
  func parameter(isFirst: Bool) -> String {
    let needsLabel = !isFirst || !["name", "counter", "group"].contains(member)
    let place = needsLabel ? SwiftText.identifier(member) : "_ \(member)"
    return isOptional ? "\(place): \(present)? = nil" : "\(place): \(present)"
  }

  /// The default in an initializer; `nil` for a required member.
  var initial: String? { isOptional ? absent ?? "nil" : nil }

  private static func name(
    _ type: Interface.ValueType, of field: String, in namespace: String
  ) throws(SwiftTypes.Unsupported) -> String {
    switch type {
    case .bool: "Bool"
    case .int: "Int64"
    case .string: "String"
    case .object, .any: "JSON"
    case .named(let name): "\(namespace).\(name)"
    case .array(let element): "[\(try Self.name(element, of: field, in: namespace))]"
    case .float, .map, .nullable, .structure, .enumeration:
      throw SwiftTypes.Unsupported(
        description: "The type of \"\(field)\" has no name in Swift; define it with a name in the interface.")
    }
  }
}
