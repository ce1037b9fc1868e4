import Text

/// A writer of SVG elements.
public struct SVG {
  public private(set) var text = ""

  /// Adds an element with attributes, and with text or other elements inside.
  public mutating func add(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String? = nil) {
    text += "<\(name)"
    for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value))\"" }
    text += content.map { ">\(Self.escaped($0))</\(name)>\n" } ?? "/>\n"
  }

  /// Adds a text with a class for its style.
  public mutating func label(
    _ content: String, at place: (x: Double, y: Double), _ kind: String, anchor: String = "start"
  ) {
    add(
      "text", ["x": Self.number(place.x), "y": Self.number(place.y), "class": kind, "text-anchor": anchor], content)
  }

  /// A number with at most one decimal; `0` for infinite ones and those from 10^8 on.
  public static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded()
    guard tenths.isFinite, abs(tenths) < 1e9 else { return "0" }
    let whole = Int(tenths)
    return whole % 10 == 0 ? "\(whole / 10)" : "\(whole < 0 ? "-" : "")\(abs(whole) / 10).\(abs(whole) % 10)"
  }

  /// Escapes an untrusted text for an element or an attribute. Works on Unicode scalars, because a parser reads a
  /// bracket with a combining mark as a bracket.
  public static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.printableLine.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;".unicodeScalars
      case "<": result += "&lt;".unicodeScalars
      case ">": result += "&gt;".unicodeScalars
      case "\"": result += "&quot;".unicodeScalars
      // XML 1.0 does not allow these two characters.
      case "\u{fffe}", "\u{ffff}": result.append("\u{fffd}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
