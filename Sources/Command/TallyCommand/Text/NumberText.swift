import ArgumentParser
import Counting
import Reports

/// Numbers as a person types them, in the format of the locale or with a decimal point.
enum NumberText {
  /// The number with a decimal point and without digit groups, as the core reads it.
  ///
  /// - Throws: a `ValidationError` for a number whose separator can be a decimal mark or a group mark.
  static func canonical(_ text: String, in locale: ValueText.Marks = ValueText.locale) throws(ValidationError) -> String
  {
    // The minus sign that this program prints.
    let text = text.hasPrefix("−") ? "-" + text.dropFirst() : text
    if let time = time(text, locale) { return time }
    guard text.contains(",") || text.contains(locale.group) && !locale.group.isEmpty || locale.group == "." else {
      return text
    }
    let isNegative = text.hasPrefix("-")
    let unsigned = isNegative ? String(text.dropFirst()) : text
    let sign = isNegative ? "-" : ""
    func twofold(_ advice: String) -> ValidationError {
      ValidationError("“\(text)” can be read in two ways. Write \(advice).")
    }
    if unsigned.hasSuffix(",") {
      throw ValidationError("“\(text)” is not a valid amount. Write \(text.dropLast()) without the comma.")
    }
    let digits = unsigned.filter { $0 != "," && $0 != "." }
    // `1,000` may be a thousand, or one with three decimals.
    if locale.group != ",", isGrouped(unsigned, ","), unsigned.components(at: ",").count == 2 {
      if unsigned.hasSuffix(",000") { throw twofold("\(sign)\(digits) or \(sign)\(unsigned.dropLast(4))") }
      if locale.point != "," {
        let point = unsigned.components(at: ",").joined(separator: ".")
        throw twofold("\(sign)\(digits), or \(sign)\(point) with a decimal point")
      }
    }
    let parts = unsigned.components(at: locale.point)
    if locale.point != ".", parts.count == 2, let whole = ungrouped(parts[0], locale) {
      return "\(sign)\(whole).\(parts[1])"
    }
    if isGrouped(unsigned, "."), locale.group == "." {
      throw twofold("\(sign)\(digits) without separators")
    }
    if !locale.group.isEmpty, locale.group != ".", parts.count <= 2, let whole = ungrouped(parts[0], locale) {
      return sign + whole + parts.dropFirst().map { ".\($0)" }.joined()
    }
    guard unsigned.filter({ $0 == "," }).count == 1, unsigned.allSatisfy({ $0.isNumber || $0 == "," }) else {
      return text
    }
    let point = unsigned.components(at: ",").joined(separator: ".")
    throw ValidationError("“\(text)” is not a valid amount. Write \(sign)\(point) with a decimal point.")
  }

  /// Refuses a number that a counter without decimals would take for 1, although it may be a thousand: `1.000`.
  ///
  /// - Parameter text: a number with a decimal point.
  static func refuseThousand(_ text: String) throws(ValidationError) {
    guard mayBeThousand(text) else { return }
    throw ValidationError(
      "“\(text)” can be read in two ways. Write \(text.filter { $0 != "." }) or \(text.dropLast(4)).")
  }

  static func mayBeThousand(_ text: String) -> Bool {
    let whole = (text.hasPrefix("-") ? text.dropFirst() : text[...]).dropLast(4)
    return text.hasSuffix(".000") && 1...3 ~= whole.count && whole.first != "0" && whole.allSatisfy(\.isNumber)
  }

  /// Whether a text is a duration with units.
  static func isDuration(_ text: String, in locale: ValueText.Marks = ValueText.locale) -> Bool {
    duration(text, locale) != nil
  }

  /// A time, which has colons or units, with a decimal point; `nil` for any other text.
  private static func time(_ text: String, _ locale: ValueText.Marks) -> String? {
    if let duration = duration(text, locale) { return duration }
    let parts = text.components(at: ":")
    guard locale.point != ".", parts.count > 1, parts.dropLast().allSatisfy({ !$0.contains(locale.point) }) else {
      return nil
    }
    return text.components(at: locale.point).joined(separator: ".")
  }

  /// A duration with units, such as `90s`, `5m` or `1h30m`, as `h:mm:ss`, which only stopwatches accept; `nil` for any
  /// other text. Seconds may have decimals: `1.5s`.
  private static func duration(_ text: String, _ locale: ValueText.Marks) -> String? {
    var (rest, seconds, decimals) = (text[...], Int64(0), "")
    for (names, unit) in [(["h"], Int64(3600)), (["min", "m"], 60), (["s"], 1)] {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      var (after, fraction) = (rest.dropFirst(digits.count), Substring())
      if unit == 1, let mark = [".", locale.point].first(where: { after.hasPrefix($0) }) {
        fraction = after.dropFirst(mark.count).prefix { $0.isASCII && $0.isNumber }
        guard !fraction.isEmpty else { return nil }
        after = after.dropFirst(mark.count + fraction.count)
      }
      guard let name = names.first(where: after.hasPrefix), let number = Int64(digits), number < 1 << 40 else {
        continue
      }
      seconds += number * unit
      if !fraction.isEmpty { decimals = ".\(fraction)" }
      rest = after.dropFirst(name.count)
    }
    guard rest.isEmpty, !text.isEmpty else { return nil }
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds / 3600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))\(decimals)"
  }

  /// The digits of a whole number without group marks; `nil` if the marks do not separate groups of three.
  private static func ungrouped(_ text: String, _ locale: ValueText.Marks) -> String? {
    guard !locale.group.isEmpty, text.contains(locale.group) else { return text.allSatisfy(\.isNumber) ? text : nil }
    return isGrouped(text, locale.group) ? text.components(at: locale.group).joined() : nil
  }

  private static func isGrouped(_ text: String, _ mark: String) -> Bool {
    let groups = text.components(at: mark)
    return groups.count > 1 && 1...3 ~= groups[0].count && groups.dropFirst().allSatisfy { $0.count == 3 }
      && groups.allSatisfy { $0.allSatisfy(\.isNumber) }
  }
}

extension String {
  /// The parts between each two occurrences of a separator; the whole text for an empty separator.
  fileprivate func components(at separator: String) -> [String] {
    separator.isEmpty ? [self] : split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

extension String {
  /// A number with a decimal point, without zeros at its end: `3`, `0.6`.
  var withoutTrailingZeros: String {
    var text = self
    while text.last == "0" { text.removeLast() }
    return text.last == "." ? String(text.dropLast()) : text
  }
}
