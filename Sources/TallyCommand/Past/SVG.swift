/// The text of a drawing, put together element by element.
struct SVG {
  private(set) var text = ""

  /// An element with attributes, and with text or other elements in it.
  mutating func add(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String? = nil) {
    text += "<\(name)"
    for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value))\"" }
    text += content.map { ">\(Self.escaped($0))</\(name)>\n" } ?? "/>\n"
  }

  /// A text whose class says what it looks like.
  mutating func label(
    _ content: String, at place: (x: Double, y: Double), _ kind: String, anchor: String = "start"
  ) {
    add(
      "text", ["x": Self.number(place.x), "y": Self.number(place.y), "class": kind, "text-anchor": anchor], content)
  }

  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded()
    guard tenths.isFinite, abs(tenths) < 1e9 else { return "0" }
    let whole = Int(tenths)
    return whole % 10 == 0 ? "\(whole / 10)" : "\(whole < 0 ? "-" : "")\(abs(whole) / 10).\(abs(whole) % 10)"
  }

  /// Names and titles come from anybody.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.printable {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
