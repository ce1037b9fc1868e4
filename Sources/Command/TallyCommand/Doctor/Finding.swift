import JSON
import Tallymark

/// A result of a check.
struct Finding: Equatable {
  enum Severity: String {
    /// No problem.
    case fine
    /// Counting works, but the user should know this.
    case notice
    /// Something does not work.
    case fault
  }

  let severity: Severity
  /// The topic: services, socket, rights, fleet, devices, rules, disk, journal, periods, versions, sensor, board or kiosk.
  let about: String
  /// The result as a sentence.
  let sentence: String
  /// The command that fixes the problem, and a hint about it.
  let remedy: Remedy?

  static func fine(_ about: String, _ sentence: String) -> Finding {
    Finding(severity: .fine, about: about, sentence: sentence, remedy: nil)
  }

  static func notice(_ about: String, _ sentence: String, mend remedy: Remedy? = nil) -> Finding {
    Finding(severity: .notice, about: about, sentence: sentence, remedy: remedy)
  }

  static func notice(_ about: String, _ sentence: String, mend command: String, hint: String? = nil) -> Finding {
    notice(about, sentence, mend: Remedy(command, hint: hint))
  }

  static func fault(_ about: String, _ sentence: String, mend remedy: Remedy) -> Finding {
    Finding(severity: .fault, about: about, sentence: sentence, remedy: remedy)
  }

  static func fault(_ about: String, _ sentence: String, mend command: String, hint: String? = nil) -> Finding {
    fault(about, sentence, mend: Remedy(command, hint: hint))
  }

  var json: JSON {
    var object: JSONObject = [
      "severity": .string(severity.rawValue), "about": .string(about), "finding": .string(sentence),
    ]
    if let remedy { object["remedy"] = .string(remedy.command) }
    if let hint = remedy?.hint { object["hint"] = .string(hint) }
    return .object(object)
  }

  /// The output as text: a mark, the topic and the sentence, then the fix.
  var text: String {
    let mark =
      switch severity {
      case .fine: "ok"
      case .notice: "--"
      case .fault: "!!"
      }
    let head = "\(mark)  \(about)" + String(repeating: " ", count: max(0, 10 - about.count)) + sentence
    guard let remedy else { return head }
    return ["\(head)", "to fix it: \(remedy.command)", remedy.hint.map { "(\($0))" }]
      .compactMap(\.self).joined(separator: "\n" + String(repeating: " ", count: 14))
  }
}
