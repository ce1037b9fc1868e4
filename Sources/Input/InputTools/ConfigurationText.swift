package import Bindings

/// The text of a configuration, into which bindings are written as a person would: all other lines, comments included,
/// stay as they are.
package struct ConfigurationText: Equatable, CustomStringConvertible {
  private let lineBreak: String
  /// The lines without their line breaks.
  private var lines: [String]

  package init(_ text: String) {
    lineBreak = text.unicodeScalars.elementsEqual(text.unicodeScalars.filter { $0 != "\r" }) ? "\n" : "\r\n"
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(String.UnicodeScalarView(line.last == "\r" ? line.dropLast() : line))
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  package var description: String { lines.map { $0 + lineBreak }.joined() }

  /// Writes a binding for a device.
  ///
  /// - Parameters:
  ///   - rule: the line that the device's `[[device]]` begins on; nil without such a table.
  ///   - existing: the line that the same gesture's `[[device.bind]]` begins on; nil without such a table.
  ///   - device: the lines of a new `[[device]]`.
  ///   - binding: the lines of a new `[[device.bind]]`.
  /// - Returns: the line that was written, or the first of several, counted from 1.
  package mutating func bind(
    rule: Int?, existing: Int?, action: Action, device: [String], binding: [String]
  ) -> Int {
    if let existing, let line = setAction(action, below: existing) { return line }
    guard let rule, rule > 0, rule <= lines.count else { return append(device, binding) }
    // A comment at the end of a block belongs to the next block.
    let end = lines[rule...].firstIndex { Self.isHeader($0) && !Self.isPart($0, of: "device") } ?? lines.count
    let last = lines[..<end].lastIndex { !Self.isBlankOrComment($0) } ?? rule - 1
    let indentation =
      lines[rule..<end].first { Self.isPart($0, of: "device") }.map { String($0.prefix { $0 == " " || $0 == "\t" }) }
      ?? "  "
    lines.insert(contentsOf: [""] + binding.map { indentation + $0 }, at: last + 1)
    return last + 3
  }

  private mutating func append(_ device: [String], _ binding: [String]) -> Int {
    append(device + [""] + binding.map { "  " + $0 })
  }

  /// Appends lines after an empty one; returns the number of the first of them, from 1.
  @discardableResult
  package mutating func append(_ block: [String]) -> Int {
    if lines.last.map({ !$0.isEmpty }) ?? false { lines.append("") }
    let first = lines.count + 1
    lines += block
    return first
  }

  package mutating func useTouchscreens() {
    let header = lines.firstIndex { $0.filter { $0 != " " && $0 != "\t" }.hasPrefix("[touchscreens]") }
    guard let header else {
      append(["[touchscreens]", "use = true"])
      return
    }
    set("use", "use = true", in: header + 1)
  }

  /// Replaces the line of a key in the table that begins at a line, or adds it; returns whether a line was added.
  @discardableResult
  private mutating func set(_ key: String, _ line: String, in first: Int) -> Bool {
    let end = lines[first...].firstIndex(where: Self.isHeader) ?? lines.count
    let former = lines[first..<end].firstIndex { text in
      text.firstIndex(of: "=").map { Self.trimmed(text[..<$0]) == key } ?? false
    }
    if let former {
      lines[former] = line
    } else {
      lines.insert(line, at: first)
    }
    return former == nil
  }

  /// Adds `grab = true` to the `[[device]]` at a line; returns the number of added lines.
  package mutating func setGrab(below header: Int) -> Int {
    guard header > 0, header <= lines.count else { return 0 }
    return set("grab", "grab = true  # no other program sees its keys", in: header) ? 1 : 0
  }

  /// Writes another action into the binding that begins on a line, and keeps a comment after it.
  private mutating func setAction(_ action: Action, below header: Int) -> Int? {
    guard header > 0, header <= lines.count else { return nil }
    let end = lines[header...].firstIndex(where: Self.isHeader) ?? lines.count
    for index in header..<end {
      let line = lines[index]
      guard let equals = line.firstIndex(of: "="), line[..<equals].allSatisfy({ !$0.isNewline }),
        Self.trimmed(line[..<equals]) == "do",
        let open = line[equals...].firstIndex(where: { $0 == "\"" || $0 == "'" || $0 == "[" }),
        let close = line[line.index(after: open)...].firstIndex(of: line[open] == "[" ? "]" : line[open])
      else { continue }
      lines[index].replaceSubrange(open...close, with: BindingText.value(action))
      return index + 1
    }
    return nil
  }

  private static func isHeader(_ line: String) -> Bool { line.first { $0 != " " && $0 != "\t" } == "[" }

  private static func isPart(_ line: String, of table: String) -> Bool {
    line.filter { $0 != " " && $0 != "\t" }.hasPrefix("[[\(table).")
  }

  private static func isBlankOrComment(_ line: String) -> Bool {
    line.first { $0 != " " && $0 != "\t" }.map { $0 == "#" } ?? true
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
