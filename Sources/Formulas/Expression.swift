public import Rationals

/// What a formula says, as a tree.
public indirect enum Expression: Equatable, Sendable {
  case number(Rational)
  /// The value of a counter or of another formula; of a stopwatch its seconds.
  case value(of: Reference)
  case part(Part, of: Reference)
  case negative(Expression)
  case operation(Operator, Expression, Expression)
  case aggregate(Aggregate, [Argument])
  case round(Expression, decimals: Expression?)

  /// Something that bears a name, and where in the text it is named.
  public struct Reference: Equatable, Sendable {
    public let name: String
    /// In Unicode scalars from the beginning of the text.
    public let position: Int
  }

  /// What can be asked of a counter besides its value. The raw value is how it is written.
  public enum Part: String, CaseIterable, Sendable {
    /// By how much it grew an hour since it began or was reset.
    case rate
    /// What the value is to become.
    case target
    /// How much of the way to the target is left.
    case left
    /// How much of the way from the start to the target is done.
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

  /// What makes one value of many. The raw value is how it is written.
  public enum Aggregate: String, CaseIterable, Sendable {
    case min, max, sum, average
  }

  public enum Argument: Equatable, Sendable {
    case one(Expression)
    /// The values of all counters of a group.
    case group(Reference)
  }
}

extension Expression {
  /// What it names, from left to right.
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

  /// What a name in a formula may stand for.
  public enum ReferenceKind: Sendable {
    /// A counter or a formula.
    case value
    case counter
    case group
  }
}
