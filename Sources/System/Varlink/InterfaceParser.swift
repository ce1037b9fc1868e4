/// Recursive-descent parser of interface descriptions; also checks that every used type is defined.
struct InterfaceParser {
  /// Maximum nesting of types in a definition.
  private static let maximumDepth = 64

  private let text: String
  private var scanner: InterfaceScanner
  private var methods: [String: Interface.Method] = [:]
  private var errors: [String: [Interface.Field]] = [:]
  private var types: [String: Interface.ValueType] = [:]
  private var definitions: [Interface.Definition] = []
  /// The uses of named types with their positions, for errors about undefined types.
  private var uses: [(name: String, place: Int)] = []

  init(_ text: String, keepsComments: Bool) {
    self.text = text
    scanner = InterfaceScanner(text, keepsComments: keepsComments)
  }

  mutating func interface() throws(Interface.SyntaxError) -> Interface {
    _ = scanner.takeComments()
    let start = scanner.place
    guard scanner.word() == "interface" else {
      throw scanner.problem("expected 'interface' and a name", at: start)
    }
    scanner.skip()
    let place = scanner.place
    let name = scanner.word(with: [UInt8(ascii: "."), UInt8(ascii: "-")])
    guard InterfaceName.isInterface(name) else {
      throw scanner.problem("'\(name)' is not a valid interface name; a valid one is org.example.thing", at: place)
    }
    try endLine(after: "the interface's name")
    while !scanner.isAtEnd { try member() }
    for use in uses where types[use.name] == nil {
      throw scanner.problem("the type '\(use.name)' is not defined", at: use.place)
    }
    return Interface(
      name: name, description: text, methods: methods, errors: errors, types: types,
      definitions: definitions)
  }

  private mutating func member() throws(Interface.SyntaxError) {
    let comments = scanner.takeComments()
    let place = scanner.place
    let keyword = scanner.word()
    guard keyword == "type" || keyword == "method" || keyword == "error" else {
      throw scanner.problem("expected 'type', 'method' or 'error'", at: place)
    }
    scanner.skip()
    let namePlace = scanner.place
    let name = scanner.word()
    guard InterfaceName.isMember(name) else {
      throw scanner.problem(
        "'\(name)' is not a valid name of a \(keyword); it must be a capital letter followed by letters and digits",
        at: namePlace)
    }
    guard types[name] == nil, methods[name] == nil, errors[name] == nil else {
      throw scanner.problem("'\(name)' is defined twice", at: namePlace)
    }
    definitions.append(Interface.Definition(name: name, comments: comments))
    switch keyword {
    case "type": types[name] = try parenthesized(depth: 0)
    case "error": errors[name] = try structure("the parameters of an error")
    default:
      let input = try structure("the parameters of a method")
      try scanner.expect("->")
      methods[name] = Interface.Method(input: input, output: try structure("the reply of a method"))
    }
    try endLine(after: "a \(keyword)")
  }

  private mutating func endLine(after what: String) throws(Interface.SyntaxError) {
    guard scanner.skip() || scanner.isAtEnd else {
      throw scanner.problem("expected the end of the line after \(what)\(scanner.found)")
    }
  }

  private mutating func structure(_ what: String) throws(Interface.SyntaxError) -> [Interface.Field] {
    scanner.skip()
    let place = scanner.place
    guard case .structure(let fields) = try parenthesized(depth: 0) else {
      throw scanner.problem("\(what) must be fields with types, not an enumeration", at: place)
    }
    return fields
  }

  /// Parses a structure or an enumeration: the character after the first name distinguishes them.
  private mutating func parenthesized(depth: Int) throws(Interface.SyntaxError) -> Interface.ValueType {
    try scanner.expect("(")
    if scanner.take(")") { return .structure([]) }
    var comments = scanner.takeComments()
    var words = [try fieldName(unlike: [])]
    guard scanner.take(":") else {
      while scanner.take(",") { words.append(try fieldName(unlike: words)) }
      try scanner.expect(")")
      return .enumeration(words)
    }
    var fields = [Interface.Field(name: words[0], type: try type(depth: depth + 1), comments: comments)]
    while scanner.take(",") {
      comments = scanner.takeComments()
      words.append(try fieldName(unlike: words))
      try scanner.expect(":")
      fields.append(
        Interface.Field(name: words[words.count - 1], type: try type(depth: depth + 1), comments: comments))
    }
    try scanner.expect(")")
    return .structure(fields)
  }

  private mutating func fieldName(unlike others: [String]) throws(Interface.SyntaxError) -> String {
    scanner.skip()
    let place = scanner.place
    let name = scanner.word()
    guard !name.isEmpty else { throw scanner.problem("expected a field's name\(scanner.found)") }
    guard InterfaceName.isField(name) else {
      throw scanner.problem(
        "'\(name)' is not a valid field name; use letters, digits, and single '_' between them", at: place)
    }
    guard !others.contains(name) else { throw scanner.problem("'\(name)' is repeated", at: place) }
    return name
  }

  private mutating func type(depth: Int) throws(Interface.SyntaxError) -> Interface.ValueType {
    guard depth <= Self.maximumDepth else { throw scanner.problem("types are nested too deeply") }
    if scanner.take("?") {
      guard !scanner.take("?") else { throw scanner.problem("'?' is repeated") }
      let type = try type(depth: depth + 1)
      return .nullable(type)
    }
    if scanner.take("[]") {
      let element = try type(depth: depth + 1)
      return .array(element)
    }
    if scanner.take("[string]") {
      let value = try type(depth: depth + 1)
      return .map(value)
    }
    scanner.skip()
    let place = scanner.place
    switch scanner.word() {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case "any": return .any
    case "": return try parenthesized(depth: depth)
    case let name:
      guard InterfaceName.isMember(name) else { throw scanner.problem("'\(name)' is not a type", at: place) }
      uses.append((name, place))
      return .named(name)
    }
  }
}
