/// Reads an interface description, member by member, and checks that every type that is used is defined.
struct InterfaceParser {
  /// How deep types may lie in each other within one definition.
  private static let maximumDepth = 64

  private let text: String
  private var scanner: InterfaceScanner
  private var methods: [String: Interface.Method] = [:]
  private var errors: [String: [Interface.Field]] = [:]
  private var types: [String: Interface.ValueType] = [:]
  /// Where each type was first used, to complain there if nothing defines it.
  private var uses: [(name: String, place: Int)] = []

  init(_ text: String) {
    self.text = text
    scanner = InterfaceScanner(text)
  }

  mutating func interface() throws(Interface.SyntaxError) -> Interface {
    scanner.skip()
    let start = scanner.place
    guard scanner.word() == "interface" else {
      throw scanner.problem("a description begins with 'interface' and a name", at: start)
    }
    scanner.skip()
    let place = scanner.place
    let name = scanner.word(with: [UInt8(ascii: "."), UInt8(ascii: "-")])
    guard InterfaceName.isInterface(name) else {
      throw scanner.problem("'\(name)' is no interface name; one looks like org.example.thing", at: place)
    }
    try endLine(after: "the interface's name")
    while !scanner.isAtEnd { try member() }
    for use in uses where types[use.name] == nil {
      throw scanner.problem("no type '\(use.name)' is defined", at: use.place)
    }
    return Interface(name: name, description: text, methods: methods, errors: errors, types: types)
  }

  private mutating func member() throws(Interface.SyntaxError) {
    let place = scanner.place
    let keyword = scanner.word()
    guard keyword == "type" || keyword == "method" || keyword == "error" else {
      throw scanner.problem("expected 'type', 'method' or 'error'", at: place)
    }
    scanner.skip()
    let namePlace = scanner.place
    let name = scanner.word()
    guard InterfaceName.isMember(name) else {
      throw scanner.problem("'\(name)' is no name for a \(keyword); one begins with a capital letter", at: namePlace)
    }
    guard types[name] == nil, methods[name] == nil, errors[name] == nil else {
      throw scanner.problem("'\(name)' is defined twice", at: namePlace)
    }
    switch keyword {
    case "type": types[name] = try parenthesized(depth: 0)
    case "error": errors[name] = try structure("what an error carries")
    default:
      let input = try structure("what a method takes")
      try scanner.expect("->")
      methods[name] = Interface.Method(input: input, output: try structure("what a method answers"))
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
      throw scanner.problem("\(what) is a list of fields with types, not of words", at: place)
    }
    return fields
  }

  /// A structure or an enumeration; which of the two shows after the first word.
  private mutating func parenthesized(depth: Int) throws(Interface.SyntaxError) -> Interface.ValueType {
    try scanner.expect("(")
    if scanner.take(")") { return .structure([]) }
    var words = [try fieldName(unlike: [])]
    guard scanner.take(":") else {
      while scanner.take(",") { words.append(try fieldName(unlike: words)) }
      try scanner.expect(")")
      return .enumeration(words)
    }
    var fields = [Interface.Field(name: words[0], type: try type(depth: depth + 1))]
    while scanner.take(",") {
      words.append(try fieldName(unlike: words))
      try scanner.expect(":")
      fields.append(Interface.Field(name: words[words.count - 1], type: try type(depth: depth + 1)))
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
      throw scanner.problem("'\(name)' is no field name; letters, digits and single '_' between them", at: place)
    }
    guard !others.contains(name) else { throw scanner.problem("'\(name)' occurs twice", at: place) }
    return name
  }

  private mutating func type(depth: Int) throws(Interface.SyntaxError) -> Interface.ValueType {
    guard depth <= Self.maximumDepth else { throw scanner.problem("types lie too deep in each other") }
    if scanner.take("?") {
      guard !scanner.take("?") else { throw scanner.problem("'?' may stand only once") }
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
      guard InterfaceName.isMember(name) else { throw scanner.problem("'\(name)' is no type", at: place) }
      uses.append((name, place))
      return .named(name)
    }
  }
}
