/// The counters, groups and formulas that a formula may name.
public protocol EvaluationContext {
  /// The value of a counter or of another formula; `nil` without a value.
  func value(of name: String) -> Rational?
  /// The value of a function of a counter, such as `rate`; `nil` if there is no such counter, or no such value.
  func part(_ part: Expression.Part, of name: String) -> Rational?
  /// The values of a group's counters; `nil` if there is no such group.
  func values(ofGroup name: String) -> [Rational]?
}

extension Expression {
  /// The exact value; `nil` after a division by 0, if an operand has no value, and if a number is out of range of
  /// ``Rational``.
  public func value(_ context: some EvaluationContext) -> Rational? {
    switch self {
    case .number(let number): number
    case .value(let reference): context.value(of: reference.name)
    case .part(let part, let reference): context.part(part, of: reference.name)
    case .negative(let operand): operand.value(context).map { -$0 }
    case .operation(let sign, let left, let right):
      if let left = left.value(context), let right = right.value(context) {
        Self.result(sign, left, right)
      } else {
        nil
      }
    case .aggregate(let aggregate, let arguments): Self.result(aggregate, arguments, context)
    case .round(let operand, nil): operand.value(context)?.rounded()
    case .round(let operand, let decimals?):
      if let value = operand.value(context), let decimals = decimals.value(context),
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
    case .plus: left + right
    case .minus: left - right
    case .times: left * right
    case .by: left / right
    case .less: truth(left < right)
    case .atMost: truth(left <= right)
    case .more: truth(left > right)
    case .atLeast: truth(left >= right)
    case .equal: truth(left == right)
    case .unequal: truth(left != right)
    }
  }

  private static func truth(_ isTrue: Bool) -> Rational { isTrue ? Rational(1) : .zero }

  private static func result(
    _ aggregate: Aggregate, _ arguments: [Argument], _ context: some EvaluationContext
  ) -> Rational? {
    var values: [Rational] = []
    for argument in arguments {
      switch argument {
      case .one(let operand):
        guard let value = operand.value(context) else { return nil }
        values.append(value)
      case .group(let reference):
        guard let members = context.values(ofGroup: reference.name) else { return nil }
        values += members
      }
    }
    switch aggregate {
    case .min: return values.min()
    case .max: return values.max()
    case .sum: return sum(values)
    case .average: return sum(values).flatMap { $0 / Rational(Int64(values.count)) }
    }
  }

  /// The exact sum, or if that is out of range, the sum of the values rounded to ``shownDecimals``: people average the
  /// paces of five stopwatches, which have a common denominator of 50 digits.
  private static func sum(_ values: [Rational]) -> Rational? {
    exactSum(values) ?? exactSum(values.map { $0.rounded(decimals: shownDecimals) })
  }

  private static func exactSum(_ values: [Rational?]) -> Rational? {
    values.reduce(Rational.zero) { sum, value in
      if let sum, let value { sum + value } else { nil }
    }
  }

  /// The number of decimals to which the interface rounds values.
  public static let shownDecimals = 12
}
