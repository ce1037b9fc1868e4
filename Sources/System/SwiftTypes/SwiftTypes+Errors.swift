import JSON
import Varlink

/// The errors of the interface: their names, and reasons with parameters.
extension SwiftTypes {
  mutating func writeErrors() {
    let errors = interface.definitions.compactMap { definition in
      interface.errors[definition.name].map { fields in
        (definition: definition, fields: fields.filter { $0.name != "message" })
      }
    }
    open("extension \(namespace)", "/// The name of an error.", "public enum ErrorName: String, CaseIterable, Sendable")
    {
      for (definition, _) in errors {
        $0.text.add("case \(SwiftText.identifier(definition.name.uncapitalised)) = \"\(definition.name)\"")
      }
      $0.text.add("")
      $0.text.add("/// The name that an error has on the wire.")
      $0.text.add("public var qualifiedName: String { \"\\(\($0.namespace).interface).\\(rawValue)\" }")
    }
    open(
      "extension \(namespace)", "/// A named error of the interface with its parameters.",
      "public enum Reason: Equatable, Sendable"
    ) { types in
      for (definition, fields) in errors {
        types.text.add(comments: definition.comments)
        let values = fields.map { "\($0.name): \(types.errorType($0))" }.joined(separator: ", ")
        types.text.add(
          "case \(SwiftText.identifier(definition.name.uncapitalised))" + (values.isEmpty ? "" : "(\(values))"))
      }
      types.text.add("")
      types.text.add("/// Parameters that are missing read as empty.")
      types.text.open("init(_ name: ErrorName, _ parameters: JSONObject)")
      types.text.add("func text(_ member: Member) -> String { parameters[member]?.string ?? \"\" }")
      types.text.add("func number(_ member: Member) -> Int64 { parameters[member]?.int ?? 0 }")
      types.text.open("switch name")
      for (definition, fields) in errors {
        let values = fields.map {
          "\($0.name): \($0.type == .int ? "number" : "text")(.\(SwiftText.identifier($0.name)))"
        }
        let arguments = values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
        types.text.add("case .\(definition.name.uncapitalised): self = .\(definition.name.uncapitalised)\(arguments)")
      }
      types.text.close()
      types.text.close()
      types.text.add("")
      types.text.open("public var name: ErrorName")
      types.text.open("switch self")
      for (definition, _) in errors {
        types.text.add("case .\(definition.name.uncapitalised): .\(definition.name.uncapitalised)")
      }
      types.text.close()
      types.text.close()
      types.text.add("")
      types.text.open("var parameters: JSONObject")
      types.text.add("var object: JSONObject = [:]")
      types.text.open("switch self")
      for (definition, fields) in errors where !fields.isEmpty {
        let names = fields.map { "let \($0.name)" }.joined(separator: ", ")
        types.text.add("case .\(definition.name.uncapitalised)(\(names)):")
        for field in fields {
          types.text.add("  object[Member.\(SwiftText.identifier(field.name))] = \(field.name).json")
        }
      }
      if errors.contains(where: \.fields.isEmpty) { types.text.add("default: break") }
      types.text.close()
      types.text.add("return object")
      types.text.close()
      types.text.add("")
      types.text.open("private enum Member: MemberName, InterfaceMember")
      types.text.add("case \(types.names(types.unique(errors.flatMap { $0.fields.map(\.name) })))")
      types.text.close()
    }
  }

  private func errorType(_ field: Interface.Field) -> String { field.type == .int ? "Int64" : "String" }
}
