/// Parses a formula.
///
/// ```
/// comparison = sum [ ("<" | "<=" | ">" | ">=" | "=" | "!=") sum ]
/// sum        = product { ("+" | "-") product }
/// product    = factor { ("*" | "/") factor }
/// factor     = "-" factor | operand { "%" }
/// operand    = number | name | function "(" argument { "," argument } ")" | "(" comparison ")"
/// argument   = comparison | "group" ":" name
/// ```
struct FormulaParser {
  private var lexer: FormulaLexer
  private var token: FormulaLexer.Token
  private var depth = 0

  /// The greatest depth of nested brackets and signs, which bounds the stack.
  private static let deepest = 64

  init(_ text: [Unicode.Scalar]) throws(FormulaError) {
    lexer = FormulaLexer(text)
    token = try lexer.next()
  }

  mutating func formula() throws(FormulaError) -> Expression {
    let expression = try comparison()
    guard token.kind == .end else { throw unexpected() }
    return expression
  }

  private func unexpected() -> FormulaError {
    let reason =
      switch token.kind {
      case .sign(")"): "This closing bracket has no opening one."
      case .sign(","): "Commas only separate the arguments of a function; write decimals with a point."
      case .sign(":"): "A colon only follows “group”, as in sum(group:home)."
      case .comparison: "Only two values can be compared; put brackets around one comparison."
      case .number, .name, .sign("("): "A sign such as + or * is missing before this."
      default: "This is not expected here."
      }
    return FormulaError(at: token.position, reason)
  }

  private mutating func advance() throws(FormulaError) { token = try lexer.next() }

  private mutating func take(_ sign: Unicode.Scalar) throws(FormulaError) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    try advance()
    return true
  }

  private mutating func close() throws(FormulaError) {
    guard try take(")") else {
      throw token.kind == .end ? FormulaError(at: token.position, "A closing bracket is missing.") : unexpected()
    }
  }

  // MARK: Precedence, the weakest first

  private mutating func comparison() throws(FormulaError) -> Expression {
    let left = try sum()
    guard case .comparison(let comparison) = token.kind else { return left }
    try advance()
    return .operation(comparison, left, try sum())
  }

  private mutating func sum() throws(FormulaError) -> Expression {
    var left = try product()
    while true {
      if try take("+") {
        left = .operation(.plus, left, try product())
      } else if try take("-") {
        left = .operation(.minus, left, try product())
      } else {
        return left
      }
    }
  }

  private mutating func product() throws(FormulaError) -> Expression {
    var left = try factor()
    while true {
      if try take("*") {
        left = .operation(.times, left, try factor())
      } else if try take("/") {
        left = .operation(.by, left, try factor())
      } else {
        return left
      }
    }
  }

  private mutating func factor() throws(FormulaError) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw FormulaError(at: token.position, "This is nested too deeply; move a part into a formula of its own.")
    }
    if try take("-") { return .negative(try factor()) }
    var operand = try operand()
    while try take("%") { operand = .operation(.by, operand, .number(Rational(100))) }
    return operand
  }

  private mutating func operand() throws(FormulaError) -> Expression {
    let (kind, position) = (token.kind, token.position)
    switch kind {
    case .number(let number):
      try advance()
      return .number(number)
    case .name(let name):
      try advance()
      if try take("(") { return try call(name, position) }
      if token.kind == .sign(":"), name == "group" {
        throw FormulaError(at: position, "A group has many values; combine them, as in sum(group:home).")
      }
      return .value(of: .init(name: name, position: position))
    case .sign("("):
      try advance()
      let inner = try comparison()
      try close()
      return inner
    case .sign(")"), .sign(","), .end, .comparison, .sign("*"), .sign("/"), .sign("+"), .sign("%"):
      throw FormulaError(at: position, "A number, a name or an opening bracket is missing here.")
    default: throw unexpected()
    }
  }

  // MARK: Functions

  private mutating func call(_ name: String, _ position: Int) throws(FormulaError) -> Expression {
    if let part = Expression.Part(rawValue: name) {
      let complaint = "\(name) takes the name of a counter, as in \(name)(people) or \(name)(a) + \(name)(b)."
      let reference = try self.name(complaint)
      guard token.kind == .sign(")") || token.kind == .end else { throw FormulaError(at: token.position, complaint) }
      try close()
      return .part(part, of: reference)
    }
    if let aggregate = Expression.Aggregate(rawValue: name) {
      var arguments = [try argument()]
      while try take(",") { arguments.append(try argument()) }
      try close()
      return .aggregate(aggregate, arguments)
    }
    guard name == "round" else {
      let known = Expression.Aggregate.allCases.map(\.rawValue) + ["round"] + Expression.Part.allCases.map(\.rawValue)
      throw FormulaError(at: position, "There is no such function; the functions are \(known.joined(separator: ", ")).")
    }
    let operand = try comparison()
    guard try take(",") else {
      try close()
      return .round(operand, decimals: nil)
    }
    let place = token.position
    let decimals = try comparison()
    if case .number(let number) = decimals, number != number.rounded() {
      throw FormulaError(at: place, "round takes a whole number of decimals, as in round(a, 2).")
    }
    try close()
    return .round(operand, decimals: decimals)
  }

  private mutating func argument() throws(FormulaError) -> Expression.Argument {
    // Only the colon distinguishes a group from a counter called “group”.
    let before = self
    guard token.kind == .name("group") else { return .one(try comparison()) }
    try advance()
    guard try take(":") else {
      self = before
      return .one(try comparison())
    }
    return .group(try name("The name of a group is missing after the colon."))
  }

  private mutating func name(_ complaint: String) throws(FormulaError) -> Expression.Reference {
    guard case .name(let name) = token.kind else { throw FormulaError(at: token.position, complaint) }
    let reference = Expression.Reference(name: name, position: token.position)
    try advance()
    return reference
  }
}

/// The reason why a text is not a formula, and the position of the fault.
public struct FormulaError: Error, Equatable, Sendable {
  /// The position in Unicode scalars from the beginning; the length of the text if its end is missing.
  public let position: Int
  /// The reason, as a sentence.
  public let message: String

  public init(at position: Int, _ message: String) {
    self.position = position
    self.message = message
  }
}
