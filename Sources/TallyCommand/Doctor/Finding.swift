import Platform
import Varlink

/// One thing that the doctor looked at.
struct Finding: Equatable {
  enum Severity: String {
    /// As it should be.
    case fine
    /// Counting works, and something is to be known.
    case notice
    /// Something does not work.
    case fault
  }

  let severity: Severity
  /// What was looked at: services, socket, rights, devices, rules, disk, versions, sensor.
  let about: String
  /// How it is: a sentence.
  let sentence: String
  /// The command that mends it, and what is to be known about it.
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

  /// For a person: a mark, what it is about, how it is, and below what mends it.
  var text: String {
    let mark =
      switch severity {
      case .fine: "ok"
      case .notice: "--"
      case .fault: "!!"
      }
    let head = "\(mark)  \(about)" + String(repeating: " ", count: max(0, 10 - about.count)) + sentence
    guard let remedy else { return head }
    return ["\(head)", "to mend it: \(remedy.command)", remedy.hint.map { "(\($0))" }]
      .compactMap(\.self).joined(separator: "\n" + String(repeating: " ", count: 14))
  }
}
