public import Rationals

/// What formulas are computed from.
public protocol FormulaFacts {
  /// The value of a counter or of another formula; `nil` where there is none.
  func value(of name: String) -> Rational?
  func part(_ part: Expression.Part, of name: String) -> Rational?
  /// The values of a group's counters.
  func values(ofGroup name: String) -> [Rational]
}

extension Expression {
  /// The value, exactly; `nil` for none: where something is divided by nothing, where something that it builds on has
  /// no value, or where a number gets longer than some 300 digits.
  public func value(_ facts: some FormulaFacts) -> Rational? {
    switch self {
    case .number(let number): number
    case .value(let reference): facts.value(of: reference.name)
    case .part(let part, let reference): facts.part(part, of: reference.name)
    case .negative(let operand): operand.value(facts).map { -$0 }
    case .operation(let sign, let left, let right):
      if let left = left.value(facts), let right = right.value(facts) { Self.result(sign, left, right) } else { nil }
    case .aggregate(let aggregate, let arguments): Self.result(aggregate, arguments, facts)
    case .round(let operand, nil): operand.value(facts)?.rounded()
    case .round(let operand, let decimals?):
      if let value = operand.value(facts), let decimals = decimals.value(facts),
        let places = Int(decimals.text(decimals: 0))
      {
        value.rounded(decimals: places)
      } else {
        nil
      }
    }
  }

  private static func result(_ sign: Operator, _ left: Rational, _ right: Rational) -> Rational? {
    switch sign {
    case .plus: try? left + right
    case .minus: try? left - right
    case .times: try? left * right
    case .by: (try? left / right) ?? nil
    case .less: truth(left < right)
    case .atMost: truth(left <= right)
    case .more: truth(left > right)
    case .atLeast: truth(left >= right)
    case .equal: truth(left == right)
    case .unequal: truth(left != right)
    }
  }

  /// 1 for what is so, 0 for what is not.
  private static func truth(_ isTrue: Bool) -> Rational { isTrue ? Rational(1) : .zero }

  private static func result(
    _ aggregate: Aggregate, _ arguments: [Argument], _ facts: some FormulaFacts
  ) -> Rational? {
    var values: [Rational] = []
    for argument in arguments {
      switch argument {
      case .one(let operand):
        guard let value = operand.value(facts) else { return nil }
        values.append(value)
      case .group(let reference): values += facts.values(ofGroup: reference.name)
      }
    }
    switch aggregate {
    case .min: return values.min()
    case .max: return values.max()
    case .sum: return sum(values)
    case .average: return sum(values).flatMap { (try? $0 / Rational(Int64(values.count))) ?? nil }
    }
  }

  private static func sum(_ values: [Rational]) -> Rational? {
    try? values.reduce(Rational.zero) { sum, value in try sum + value }
  }
}
