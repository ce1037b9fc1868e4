import ArgumentParser
import Counting
import Glibc
import Platform
import Suggestions
import Varlink

/// The command line's connection to the core: finds it, asks it, and turns what goes wrong into words and exit codes.
struct CoreClient {
  /// The core refused.
  static let refused = ExitCode(1)
  /// `EX_UNAVAILABLE` of sysexits.h: no core is there.
  static let unavailable = ExitCode(69)

  private static let interface = "org.tallymark.Counters"
  private let client: Client

  /// Connects to the first core that answers.
  ///
  /// - Throws: exit code 69, after saying where it looked and how to start one.
  init(_ options: CommonOptions) throws(ExitCode) {
    ServiceProcess.ignoreBrokenPipes()
    let places = CoreSocket.candidates(option: options.socket)
    var faults: [String] = []
    for place in places {
      do {
        client = try Client(path: place)
        return
      } catch {
        faults.append("  \(place): \(SystemError.reason(error.code))")
      }
    }
    if faults.isEmpty { faults = ["  nowhere: neither XDG_RUNTIME_DIR nor TALLYMARK_SOCKET is set"] }
    Output.complain(
      """
      No core answers. Looked at:
      \(faults.joined(separator: "\n"))
      Start one with “tallyd”, or say where it is with --socket or TALLYMARK_SOCKET.
      """)
    throw Self.unavailable
  }

  /// Asks, and answers the reply.
  ///
  /// - Throws: exit code 1 after printing the core's named error, 69 when the core goes away.
  func call(_ method: String, _ parameters: JSONObject = [:]) throws(ExitCode) -> JSONObject {
    do {
      return try client.call("\(Self.interface).\(method)", parameters)
    } catch {
      throw Self.explain(error, suggestion: nearest(to: error))
    }
  }

  /// The counter called `name` out of all that there are.
  ///
  /// - Throws: exit code 1, as if the core had been asked.
  func counter(_ name: String, among all: [CounterLine]) throws(ExitCode) -> CounterLine {
    if let found = all.first(where: { $0.name == name }) { return found }
    return CounterLine(try call("Get", ["name": .string(name)])["counter"]?.object ?? [:])
  }

  /// Has `act` done again and again while nothing arrives for so many milliseconds.
  func whenQuiet(for milliseconds: Int32, _ act: @escaping () -> Void) { client.whenQuiet = (milliseconds, act) }

  /// The name that was probably meant by one that is not there, as a question.
  private func nearest(to error: any Error) -> String? {
    guard let error = error as? VarlinkError, let name = error.parameters["name"]?.string else { return nil }
    let (method, member): (String, String)
    switch error.name {
    case "\(Self.interface).NoSuchCounter": (method, member) = ("List", "counters")
    case "\(Self.interface).NoSuchGroup": (method, member) = ("Groups", "groups")
    case "\(Self.interface).NoSuchFormula": (method, member) = ("List", "formulas")
    default: return nil
    }
    let known = (try? client.call("\(Self.interface).\(method)"))?[member]?.array ?? []
    let near = Suggestion.nearest(to: name, among: known.compactMap { $0.object?["name"]?.string })
    return near.map { " Did you mean “\($0)”?" }
  }

  /// Asks for a stream of replies, each of which `each` gets until it answers `false`.
  func stream(_ method: String, _ parameters: JSONObject, each: (JSONObject) throws -> Bool) throws(ExitCode) {
    do {
      try client.stream("\(Self.interface).\(method)", parameters, each: each)
    } catch {
      throw Self.explain(error)
    }
  }

  /// A change that this command line asked for: its event.
  func change(_ method: String, _ parameters: JSONObject) throws(ExitCode) -> EventLine {
    var parameters = parameters
    parameters["cause"] = ["producer": "tally"]
    let reply = try call(method, parameters)
    return EventLine(reply["event"]?.object ?? [:])
  }

  private static func explain(_ error: any Error, suggestion: String? = nil) -> ExitCode {
    switch error {
    case let error as ExitCode: return error
    case let error as VarlinkError:
      let sentence = error.parameters["message"]?.string ?? error.description
      var text = (sentence == error.name ? sentence : "\(error.name): \(sentence)") + (suggestion ?? "")
      if let formula = error.parameters["formula"]?.string, let position = error.parameters["position"]?.int {
        text += "\n" + FormulaLine.marked(formula, at: Int(clamping: position))
      }
      Output.complain(text)
      return refused
    default:
      Output.complain("The core has gone away: \(error).")
      return unavailable
    }
  }
}

/// The name of a counter as an argument, completed from the counters that there are.
struct CounterArgument {
  static let completion = CompletionKind.custom { words, _, _ in
    for place in CoreSocket.candidates(option: Tally.socket(in: words)) {
      guard let reply = try? Client(path: place).call("org.tallymark.Counters.List") else { continue }
      let named = (reply["counters"]?.array ?? []) + (reply["formulas"]?.array ?? [])
      return named.compactMap { $0.object?["name"]?.string }
    }
    return []
  }
}
