/// Lines of Swift code. Each open block adds a level of indentation.
struct SwiftText {
  private static let width = 120

  var lines: [String] = []
  private var depth = 0

  mutating func add(_ line: String) { lines.append(line.isEmpty ? "" : indentation + line) }

  /// Adds `head` and an opening brace.
  mutating func open(_ head: String) {
    add("\(head) {")
    depth += 1
  }

  mutating func close() {
    depth -= 1
    add("}")
  }

  /// Adds a doc comment, wrapped to the width of a line.
  mutating func add(comments: [String]) {
    var line = ""
    for word in comments.flatMap({ $0.split(separator: " ") }) {
      if !line.isEmpty, indentation.count + line.count + word.count + 5 > Self.width {
        add("/// \(line)")
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { add("/// \(line)") }
  }

  private var indentation: String { String(repeating: "  ", count: depth) }

  /// A name, in backticks if it is a word of the language.
  static func identifier(_ name: String) -> String {
    ["default", "for", "import", "in", "is", "repeat", "self", "where", "while"].contains(name) ? "`\(name)`" : name
  }
}

extension String {
  var capitalised: String { prefix(1).uppercased() + dropFirst() }
  var uncapitalised: String { prefix(1).lowercased() + dropFirst() }
}
