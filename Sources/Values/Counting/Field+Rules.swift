import Calendars

/// The rules for values of settings.
extension Field {
  /// Checks a value and returns it as it is stored.
  ///
  /// - Parameter counter: `nil` for groups and formulas.
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
      guard let text = value.text, Counter.Limits(rawValue: text) != nil else { throw bad("it must be refuse or stop") }
      return value
    case .step:
      let step = value.integer ?? Counter.usualStep(counter?.decimals ?? 0, counter?.isStopwatch ?? false)
      return .integer(try amount(step, least: 1))
    case .start: return .integer(value.integer ?? 0)
    case .display:
      guard let text = value.text, Display(rawValue: text) != nil else {
        throw bad("it must be one of \(Display.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return value
    case .formula:
      do throws(FormulaError) {
        return .text(try FormulaText(value.text ?? "").text)
      } catch {
        throw .badFormula(value.text ?? "", error)
      }
    case .order:
      guard let order = value.integer, Self.orders ~= order else {
        throw bad("it must be a whole number from -2^53 to 2^53")
      }
      return value
    case .period:
      guard let text = value.text, !text.isEmpty else { return .none }
      return .text(try Self.schedule(text).description)
    default:
      switch kind {
      case .amount(let least):
        return .init(try value.integer.map { number throws(CountingError) in try amount(number, least: least) })
      case .flag: return .integer(value.integer == 1 ? 1 : 0)
      case .place, .state: return .init(value.integer)
      case .text, .word, .words: return .text(try line(value.text ?? "", longest: 2000))
      }
    }
  }

  /// The range of positions: far below overflow, and exact in floating point.
  static let orders = -(1 << 53)...(1 << 53) as ClosedRange<Int64>

  static func schedule(_ text: String) throws(CountingError) -> Schedule {
    do throws(ScheduleError) { return try Schedule(parsing: text) } catch { throw Field.period.bad(error.reason) }
  }

  func bad(_ reason: String) -> CountingError { .badSetting(rawValue, reason: reason) }

  private func amount(_ number: Int64, least: Int64) throws(CountingError) -> Int64 {
    guard number >= least else { throw .badAmount(number) }
    return number
  }

  private func line(_ text: String, longest: Int, otherThan allowed: String = "") throws(CountingError) -> String {
    guard text.utf8.count <= longest * 4, text.unicodeScalars.count <= longest else {
      throw bad("it is longer than \(longest) characters")
    }
    for scalar in text.unicodeScalars
    where scalar.properties.generalCategory == .control && !allowed.unicodeScalars.contains(scalar) {
      throw bad("it contains a control character")
    }
    return text
  }

  /// The names of colours: those of terminals, and a few more.
  public static let colours = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "grey", "orange", "purple", "pink", "brown",
  ]

  private func colour(_ text: String) throws(CountingError) -> String {
    let isNumber =
      text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#") && UInt32(text.dropFirst(), radix: 16) != nil
    guard text.isEmpty || Self.colours.contains(text) || isNumber else {
      throw bad("it must be #rrggbb or one of \(Self.colours.joined(separator: ", "))")
    }
    return text.lowercased()
  }

  /// The maximum number of tags of a counter.
  private static let mostTags = 32

  private func tags(_ text: String) throws(CountingError) -> String {
    let tags = try line(text, longest: 2000).split(separator: " ")
    guard tags.count <= Self.mostTags else { throw bad("it has more than \(Self.mostTags) tags") }
    guard tags.allSatisfy({ $0.unicodeScalars.count <= CounterName.longest }) else {
      throw bad("a tag is longer than \(CounterName.longest) characters")
    }
    return tags.joined(separator: " ")
  }
}

extension Counter {
  public static let longestTitle = 200

  /// Whether a counter can have this title.
  public static func isTitle(_ title: String) -> Bool { (try? checkTitle(title)) != nil }

  /// Checks a title.
  ///
  /// - Throws: ``CountingError/badTitle(reason:)`` if the title is invisible, longer than 200 characters, or contains
  ///   control characters such as line breaks.
  static func checkTitle(_ title: String) throws(CountingError) {
    guard title.utf8.count <= longestTitle * 4, title.unicodeScalars.count <= longestTitle else {
      throw .badTitle(reason: "it is longer than \(longestTitle) characters")
    }
    if title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw .badTitle(reason: "it contains a control character")
    }
    let isEmpty = title.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
      default: scalar.properties.isDefaultIgnorableCodePoint
      }
    }
    if isEmpty { throw .badTitle(reason: "it is empty") }
  }

  /// Checks that the settings are consistent with each other.
  func check() throws(CountingError) {
    if isStopwatch {
      for field in Field.allCases where !field.isOfStopwatches && self[field] != .none {
        throw field.bad("a stopwatch does not have this setting")
      }
    }
    if let minimum, let maximum, minimum > maximum { throw Field.minimum.bad("it is above the maximum") }
    if let minimum, start < minimum { throw Field.minimum.bad("it is above the start value") }
    if let maximum, start > maximum { throw Field.maximum.bad("it is below the start value") }
    if target == start { throw Field.target.bad("it must differ from the start value") }
  }
}
