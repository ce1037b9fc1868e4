import CoreAPI
import JSON
import Varlink

/// The output of an error reply. The qualified name is for programs, so it is printed only with `--json`.
enum ErrorText {
  /// - Parameter advice: the next step, as the text after the sentence.
  static func text(of refusal: Counters.Refusal, advice: String? = nil, isNamed: Bool) -> String {
    var text = (isNamed ? "\(refusal.name.qualifiedName): " : "") + refusal.message + (advice.map { " \($0)" } ?? "")
    if case .badFormula(let formula, let position) = refusal.reason {
      text += "\n" + FormulaLine.marked(formula, at: Int(clamping: position))
    }
    return text
  }

  /// The text of an error that the interface does not define.
  static func text(of error: VarlinkError, isNamed: Bool) -> String {
    isNamed ? "\(error.name): \(sentence(error))" : sentence(error)
  }

  /// The words for parameters of the interface that come from options.
  private static let parameters = [
    "time": "this time", "bounds": "this range of times", "from": "the start time", "until": "the end time",
    "counters": "so many names", "limit": "this number of events", "sequence": "this number of an event",
  ]

  private static func sentence(_ error: VarlinkError) -> String {
    func isSame(_ other: VarlinkError) -> Bool { error.name == other.name }
    let restart = "If it is older than this program, restart it."
    if isSame(.invalidParameter("")), let parameter = error.parameters["parameter"]?.string {
      return "The core does not accept \(parameters[parameter] ?? "what this command sends"). \(restart)"
    }
    if isSame(.methodNotFound("")) || isSame(.methodNotImplemented("")), let method = error.parameters["method"]?.string
    {
      return "The core has no method “\(method)”. \(restart)"
    }
    if isSame(.interfaceNotFound("")) {
      return "The program that listens on this socket is not a counter core, or is older than this program."
    }
    return error.description
  }
}
