import Formulas

/// What settings can be.
extension Field {
  /// The value as it is kept, for a counter or, where that is `nil`, for anything.
  func checked(_ value: Value, for counter: Counter?) throws(CountingError) -> Value {
    switch self {
    case .name: return .text(try CounterName(value.text ?? "").text)
    case .title:
      guard let title = value.text else { return .none }
      try Counter.checkTitle(title)
      return value
    case .colour: return .text(try colour(value.text ?? ""))
    case .icon: return .text(try line(value.text ?? "", longest: 16))
    case .note: return .text(try line(value.text ?? "", longest: 2000, otherThan: "\n\t"))
    case .tags: return .text(try tags(value.text ?? ""))
    case .limits:
      guard let text = value.text, Counter.Limits(rawValue: text) != nil else { throw bad("it is refuse or stop") }
      return value
    case .step:
      let step = value.integer ?? Counter.usualStep(counter?.decimals ?? 0, counter?.isStopwatch ?? false)
      return .integer(try amount(step))
    case .stepDown, .every: return .init(try value.integer.map { number throws(CountingError) in try amount(number) })
    case .start: return .integer(value.integer ?? 0)
    case .display:
      guard let text = value.text, Display(rawValue: text) != nil else {
        throw bad("it is \(Display.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return value
    case .formula:
      do throws(FormulaError) {
        return .text(try FormulaText(value.text ?? "").text)
      } catch {
        throw .badFormula(value.text ?? "", error)
      }
    case .order:
      guard let order = value.integer, Self.orders ~= order else { throw bad("it is a whole number below 2 to the 53") }
      return value
    case .archived: return .integer(value.integer == 1 ? 1 : 0)
    default: return .init(value.integer)
    }
  }

  /// Far from where numbers overflow, and exact for those who read them as floating point.
  private static let orders = -(1 << 53)...(1 << 53) as ClosedRange<Int64>

  func bad(_ reason: String) -> CountingError { .badSetting(rawValue, reason: reason) }

  private func amount(_ number: Int64) throws(CountingError) -> Int64 {
    guard number >= 1 else { throw .badAmount(number) }
    return number
  }

  private func line(_ text: String, longest: Int, otherThan allowed: String = "") throws(CountingError) -> String {
    guard text.utf8.count <= longest * 4, text.unicodeScalars.count <= longest else {
      throw bad("it is longer than \(longest) characters")
    }
    for scalar in text.unicodeScalars
    where scalar.properties.generalCategory == .control && !allowed.unicodeScalars.contains(scalar) {
      throw bad("it holds a control character")
    }
    return text
  }

  /// The colours that have names: those of every terminal, and a few more.
  public static let colours = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "grey", "orange", "purple", "pink", "brown",
  ]

  private func colour(_ text: String) throws(CountingError) -> String {
    let isNumber =
      text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#") && UInt32(text.dropFirst(), radix: 16) != nil
    guard text.isEmpty || Self.colours.contains(text) || isNumber else {
      throw bad("it is #rrggbb or one of \(Self.colours.joined(separator: ", "))")
    }
    return text.lowercased()
  }

  /// At most so many tags for one counter.
  private static let mostTags = 32

  private func tags(_ text: String) throws(CountingError) -> String {
    let tags = try line(text, longest: 2000).split(separator: " ")
    guard tags.count <= Self.mostTags else { throw bad("there are more than \(Self.mostTags)") }
    guard tags.allSatisfy({ $0.unicodeScalars.count <= CounterName.longest }) else {
      throw bad("one is longer than \(CounterName.longest) characters")
    }
    return tags.joined(separator: " ")
  }
}

extension Counter {
  public static let longestTitle = 200

  /// - Throws: ``CountingError/badTitle(reason:)`` for one that is empty, longer than 200 characters or holds control
  ///   characters such as line breaks.
  static func checkTitle(_ title: String) throws(CountingError) {
    if title.isEmpty { throw .badTitle(reason: "it is empty") }
    guard title.utf8.count <= longestTitle * 4, title.unicodeScalars.count <= longestTitle else {
      throw .badTitle(reason: "it is longer than \(longestTitle) characters")
    }
    if title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw .badTitle(reason: "it holds a control character")
    }
  }

  /// Whether the settings go together.
  func check() throws(CountingError) {
    if isStopwatch {
      for field in [Field.minimum, .maximum, .target, .every] where self[field] != .none {
        throw field.bad("a stopwatch has none")
      }
    }
    if let minimum, let maximum, minimum > maximum { throw Field.minimum.bad("it is above the maximum") }
    if let minimum, start < minimum { throw Field.minimum.bad("the start is below it") }
    if let maximum, start > maximum { throw Field.maximum.bad("the start is above it") }
    if target == start { throw Field.target.bad("it is where the counter starts") }
  }
}
