/// The syntax tree of a formula.
public indirect enum Expression: Equatable, Sendable {
  case number(Rational)
  /// The value of a counter or of another formula; of a stopwatch its seconds.
  case value(of: Reference)
  case part(Part, of: Reference)
  case negative(Expression)
  case operation(Operator, Expression, Expression)
  case aggregate(Aggregate, [Argument])
  case round(Expression, decimals: Expression?)

  /// A name, and its position in the text.
  public struct Reference: Equatable, Sendable {
    public let name: String
    /// The position in Unicode scalars from the beginning of the text.
    public let position: Int
  }

  /// A function of one counter. The raw value is its name.
  public enum Part: String, CaseIterable, Sendable {
    /// The growth per hour since the counter was made, reset or renewed, or since its earliest count if that is
    /// earlier; over a minute at least.
    case rate
    /// The value that the counter is to reach.
    case target
    /// The distance from the value to the target; 0 beyond it.
    case left
    /// The distance from the start to the value, in the direction of the target.
    case done
  }

  public enum Operator: String, CaseIterable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case by = "/"
    case less = "<"
    case atMost = "<="
    case more = ">"
    case atLeast = ">="
    case equal = "="
    case unequal = "!="
  }

  /// A function of many values. The raw value is its name.
  public enum Aggregate: String, CaseIterable, Sendable {
    case min, max, sum, average
  }

  public enum Argument: Equatable, Sendable {
    case one(Expression)
    /// The values of all counters of a group.
    case group(Reference)
  }

  /// All names in the formula, from left to right.
  public var references: [(kind: ReferenceKind, reference: Reference)] {
    var found: [(kind: ReferenceKind, reference: Reference)] = []
    collect(&found)
    return found
  }

  private func collect(_ found: inout [(kind: ReferenceKind, reference: Reference)]) {
    switch self {
    case .number: break
    case .value(let reference): found.append((.value, reference))
    case .part(_, let reference): found.append((.counter, reference))
    case .negative(let operand): operand.collect(&found)
    case .operation(_, let left, let right):
      left.collect(&found)
      right.collect(&found)
    case .round(let operand, let decimals):
      operand.collect(&found)
      decimals?.collect(&found)
    case .aggregate(_, let arguments):
      for argument in arguments {
        switch argument {
        case .one(let operand): operand.collect(&found)
        case .group(let reference): found.append((.group, reference))
        }
      }
    }
  }

  /// The functions of one counter in the formula.
  var parts: [(part: Part, reference: Reference)] {
    switch self {
    case .number, .value: []
    case .part(let part, let reference): [(part, reference)]
    case .negative(let operand): operand.parts
    case .operation(_, let left, let right): left.parts + right.parts
    case .round(let operand, let decimals): operand.parts + (decimals?.parts ?? [])
    case .aggregate(_, let arguments):
      arguments.flatMap { argument -> [(part: Part, reference: Reference)] in
        if case .one(let operand) = argument { operand.parts } else { [] }
      }
    }
  }

  /// The kind of entity that a name refers to.
  public enum ReferenceKind: Sendable {
    /// A counter or a formula.
    case value
    case counter
    case group
  }
}
