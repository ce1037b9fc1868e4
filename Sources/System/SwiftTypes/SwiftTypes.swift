import JSON
public import Varlink

/// Swift code for the methods, types, replies and errors of an interface.
///
/// A structure becomes a `Structure` with a property for each member. An absent number reads as 0, a text as empty, a
/// flag as `false` and a list as empty, and an optional number, text or structure as `nil`. A flag `x` is read as
/// `isX`. A reply is named after its only member (`event: Event` is an `EventReply`), or after its method. Structures
/// and enumerations without a name are refused, because code cannot name them.
public struct SwiftTypes {
  let interface: Interface
  /// The enum that holds all types.
  let namespace: String
  var text = SwiftText()

  public init(of interface: Interface, in namespace: String) {
    self.interface = interface
    self.namespace = namespace
  }

  /// A type of the interface that has no counterpart in Swift.
  public struct Unsupported: Error, CustomStringConvertible {
    public let description: String
  }

  /// The whole file.
  ///
  /// - Parameter source: the name of the description, for the first line.
  public func code(source: String) throws(Unsupported) -> String {
    var copy = self
    try copy.write(source)
    return copy.text.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ source: String) throws(Unsupported) {
    text.lines = [
      "// Written by `make types` from \(source). Do not edit.", "// swift-format-ignore-file", "public import JSON",
      "import Varlink",
    ]
    open("extension \(namespace)") {
      $0.text.add("/// The qualified name of the interface.")
      $0.text.add("public static let interface = \"\($0.interface.name)\"")
    }
    writeMethods()
    writeParameters()
    try writeRequests()
    let sent = typesOfRequests()
    for definition in interface.definitions {
      guard case .structure(let fields)? = interface.types[definition.name] else { continue }
      try write(definition.name, definition.comments, fields, isSent: sent.contains(definition.name))
    }
    for reply in replies() {
      let isOfChange = reply.methods.contains { interface.methods[$0]?.input.contains { $0.name == "cause" } == true }
      try write(
        reply.name, ["The reply to \(list(reply.methods))."], reply.fields,
        conformance: isOfChange ? "ChangeReply" : "Structure")
    }
    writeErrors()
  }

  // MARK: Methods

  private var methods: [(definition: Interface.Definition, method: Interface.Method)] {
    interface.definitions.compactMap { definition in interface.methods[definition.name].map { (definition, $0) } }
  }

  private mutating func writeMethods() {
    open(
      "extension \(namespace)", "/// A method; the raw value is its short name.",
      "public enum Method: String, CaseIterable, Sendable"
    ) {
      for (definition, _) in $0.methods {
        $0.text.add(comments: definition.comments)
        $0.text.add("case \(SwiftText.identifier(definition.name.uncapitalised)) = \"\(definition.name)\"")
      }
      $0.text.add("")
      $0.text.add("/// The name that a call has on the wire.")
      $0.text.add("public var qualifiedName: String { \"\\(\($0.namespace).interface).\\(rawValue)\" }")
    }
  }

  private mutating func writeParameters() {
    let inner = typesOfRequests().sorted().flatMap { name in
      if case .structure(let fields)? = interface.types[name] { fields.map(\.name) } else { [String]() }
    }
    let names = unique(methods.flatMap { $0.method.input.map(\.name) } + inner)
    open(
      "extension \(namespace)", "/// The parameters of all methods, and the members of structures in them.",
      "public enum Parameter: MemberName, InterfaceMember"
    ) {
      $0.text.add("case \($0.names(names))")
    }
  }

  /// Writes a function for each method, which makes a request from the method's parameters and the cause.
  private mutating func writeRequests() throws(Unsupported) {
    for reply in replies() {
      text.add("")
      text.open("extension \(namespace).Request<\(namespace).\(reply.name)>")
      for name in reply.methods {
        guard let method = interface.methods[name] else { continue }
        let called = SwiftText.identifier(name.uncapitalised)
        let fields = method.input.filter { $0.name != "cause" }
        guard !fields.isEmpty else {
          text.add("public static var \(called): Self { .init(.\(called)) }")
          continue
        }
        let parameters = try fields.enumerated().map { index, field throws(Unsupported) in
          try Property(field, in: namespace).parameter(isFirst: index == 0)
        }
        let values = fields.map { ".\(SwiftText.identifier($0.name)): \(SwiftText.identifier($0.name))" }
        text.open("public static func \(called)(\(parameters.joined(separator: ", "))) -> Self")
        text.add(".init(.\(called), [\(values.joined(separator: ", "))])")
        text.close()
      }
      text.close()
    }
  }

  private struct Reply {
    let name: String
    var methods: [String]
    let fields: [Interface.Field]
  }

  /// The replies, in the order of the methods that first return them.
  private func replies() -> [Reply] {
    var replies: [Reply] = []
    for (definition, method) in methods {
      if let known = replies.firstIndex(where: { $0.fields == method.output }) {
        replies[known].methods.append(definition.name)
        continue
      }
      let subject =
        switch method.output.count {
        case 0: "Empty"
        case 1: method.output[0].name.capitalised
        default: definition.name
        }
      replies.append(Reply(name: subject + "Reply", methods: [definition.name], fields: method.output))
    }
    return replies
  }

  // MARK: Structures

  /// The types that clients construct: the types of parameters, and those of their members.
  private func typesOfRequests() -> Set<String> {
    var found: Set<String> = []
    var open = methods.flatMap { $0.method.input.map(\.type) }
    while let type = open.popLast() {
      switch type {
      case .nullable(let type), .array(let type), .map(let type): open.append(type)
      case .named(let name) where found.insert(name).inserted:
        if case .structure(let fields)? = interface.types[name] { open += fields.map(\.type) }
      default: break
      }
    }
    return found
  }

  private mutating func write(
    _ name: String, _ comments: [String], _ fields: [Interface.Field], isSent: Bool = false,
    conformance: String = "Structure"
  ) throws(Unsupported) {
    let properties = try fields.map { field throws(Unsupported) in try Property(field, in: namespace) }
    text.add("")
    text.open("extension \(namespace)")
    text.add(comments: comments)
    text.open("public struct \(name): \(conformance)")
    if properties.isEmpty {
      text.open("public enum Member: InterfaceMember")
      text.add("public init?(rawValue: MemberName) { nil }")
      text.add("public var rawValue: MemberName { switch self {} }")
      text.close()
    } else {
      text.open("public enum Member: MemberName, InterfaceMember")
      text.add("case \(names(properties.map(\.member)))")
      text.close()
    }
    text.add("")
    text.add("public var object: JSONObject")
    text.add("public init(_ object: JSONObject) { self.object = object }")
    if isSent { writeInitializer(properties) }
    for property in properties {
      text.add("")
      text.add(comments: property.comments)
      let value = "self[.\(SwiftText.identifier(property.member))]" + (property.absent.map { " ?? \($0)" } ?? "")
      guard isSent else {
        text.add("public var \(property.identifier): \(property.type) { \(value) }")
        continue
      }
      text.open("public var \(property.identifier): \(property.type)")
      text.add("get { \(value) }")
      text.add("set { self[.\(SwiftText.identifier(property.member))] = \(property.stored) }")
      text.close()
    }
    text.close()
    text.close()
  }

  /// Writes an initializer with a parameter for each member; optional ones have defaults.
  private mutating func writeInitializer(_ properties: [Property]) {
    let parameters = properties.map { property in
      "\(property.identifier): \(property.type)" + (property.initial.map { " = \($0)" } ?? "")
    }
    text.add("")
    text.open("public init(\(parameters.joined(separator: ", ")))")
    text.add("object = [:]")
    for property in properties { text.add("self.\(property.identifier) = \(property.identifier)") }
    text.close()
  }

  // MARK: Text

  /// Writes nested blocks: the last one of `heads` contains the output of `body`.
  mutating func open(_ heads: String..., body: (inout SwiftTypes) -> Void) {
    text.add("")
    for head in heads { head.hasPrefix("///") ? text.add(head) : text.open(head) }
    body(&self)
    for head in heads where !head.hasPrefix("///") { text.close() }
  }

  func names(_ names: [String]) -> String { names.map(SwiftText.identifier).joined(separator: ", ") }

  func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private func list(_ methods: [String]) -> String {
    let names = methods.map { "`\($0)`" }
    return names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }
}
