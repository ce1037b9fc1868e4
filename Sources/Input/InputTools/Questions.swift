import Bindings
import Gestures
import InputDevices
import Linux
import Text
import Toml

/// Asks the questions of `learn`, and interprets the answers.
struct Questions {
  /// The input has ended.
  struct NoAnswer: Error, CustomStringConvertible {
    let description = "There was no answer, so nothing was written."
  }

  /// The value of `--socket`.
  let socket: String?

  /// Asks for the gesture's action until the answer is valid.
  func action() throws -> Action {
    say(
      """
      What should it do? add, subtract, add people 2, select people, undo, … Enter alone means add; several with commas \
      between them are done all or none.
      """)
    while true {
      let answer = try ask()
      do {
        let action = answer.isEmpty ? .add : try Action(all: answer.split(separator: ",").map(String.init))
        if try action.parts.allSatisfy({ try accepts(counterOf: $0) }) { return action }
      } catch let error as Action.Problem {
        say("\(error.reason)\(error.hint.map { ": \($0)" } ?? "").")
      }
    }
  }

  /// Whether the counter exists, is created now, or may be created later.
  private func accepts(counterOf action: Action) throws -> Bool {
    guard let name = action.counter else { return true }
    guard let core = CoreKnowledge(socket: socket), let names = try? core.names() else {
      say("No core is running that could tell whether there is a counter “\(name)”; “tally new \(name)” makes one.")
      return true
    }
    guard !names.contains(name) else { return true }
    let near = Suggestion.nearest(to: name, among: names).map { " Did you mean “\($0)”?" } ?? ""
    guard try yes("There is no counter “\(name)” yet.\(near) Make it now?", enterMeans: near.isEmpty) else {
      say(near.isEmpty ? "Then what should it do?" : "Then say again what it should do.")
      return false
    }
    do {
      try core.make(name)
      say("“\(name)” is made.")
    } catch {
      say("It could not be made: \(error)")
      return false
    }
    return true
  }

  /// Asks for the zone of a touch, of the zones that contain the touch; nil for anywhere.
  func zone(at position: Gesture.Position) throws -> Zone? {
    say(
      """
      Where on the screen? Enter alone means anywhere; half means the \(Self.half(at: position)?.name ?? "") half, where \
      that was; columns and rows such as 3x2 mean the part of such a grid where that was.
      """)
    while true {
      let answer = try ask()
      if answer.isEmpty || answer == "anywhere" { return nil }
      if answer == "half" || answer == "left" || answer == "right" {
        return Zone.halves.first { $0.name == answer } ?? Self.half(at: position)
      }
      if let cell = Self.cell(of: answer, at: position) { return cell }
      say("\(answer.prefix(40)) is nowhere: say half, left, right, or columns and rows up to 32x32.")
    }
  }

  private static func half(at position: Gesture.Position) -> Zone? {
    Zone.halves.first { $0.contains(position) }
  }

  /// The cell of a grid such as `3x2` at a position.
  private static func cell(of answer: String, at position: Gesture.Position) -> Zone? {
    let parts = answer.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], 1...32 ~= columns, 1...32 ~= rows else {
      return nil
    }
    let cells = (1...rows).lazy.flatMap { row in
      (1...columns).lazy.compactMap { Zone(column: $0, row: row, of: (columns, rows)) }
    }
    return cells.first { $0.contains(position) }
  }

  /// Whether to grab a device that types.
  func takesDevice(_ device: PhysicalDevice, key: String) throws -> Bool {
    let isKnown = device.nodes.contains { node in KnownDevice.shipped.contains { $0.conditions.match(node.description) }
    }
    let warning = isKnown ? "" : " Say no if it is a keyboard that you type on."
    return try yes(
      "Other programs see its \(key) as well, as if it were typed. Keep all of its keys from them?\(warning)",
      enterMeans: isKnown)
  }

  /// Asks for a yes or a no.
  func yes(_ question: String, enterMeans standard: Bool) throws -> Bool {
    say("\(question) (yes or no; Enter alone means \(standard ? "yes" : "no"))")
    while true {
      switch try ask().lowercased() {
      case "": return standard
      case "y", "yes": return true
      case "n", "no": return false
      default: say("Say yes or no.")
      }
    }
  }

  private func ask() throws -> String {
    StandardOutput.write("> ")
    guard let answer = readLine() else { throw NoAnswer() }
    return String(answer.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private func say(_ text: String) { StandardOutput.line(text) }
}
