public import Bindings
import Feedback
import Text

/// Finds the counters and groups that a configuration names and the core does not have. The core refuses their
/// gestures.
public enum MissingCounters {
  /// A line for each missing counter and group; empty if the core has all, `nil` if no core answers.
  ///
  /// - Parameter socket: the value of `--socket`.
  public static func lines(_ configuration: Configuration, socket: String?) -> [String]? {
    guard !named(in: configuration).isEmpty else { return [] }
    guard let core = CoreKnowledge(socket: socket), let counters = try? core.names(), let groups = try? core.groups()
    else { return nil }
    return lines(configuration, counters: counters, groups: groups)
  }

  /// A line for each counter and group that is not among the core's names.
  package static func lines(_ configuration: Configuration, counters: [String], groups: [String]) -> [String] {
    named(in: configuration).compactMap { name in
      let known = name.isGroup ? groups : counters
      guard !known.contains(name.text) else { return nil }
      let place = "\(configuration.file ?? ""):\(name.line)"
      if let near = Suggestion.nearest(to: name.text, among: known) {
        return "\(place): there is no \(name.kind) “\(name.text)”; did you mean “\(near)”?"
      }
      let creation = name.isGroup ? "tally group new" : "tally new"
      return "\(place): there is no \(name.kind) “\(name.text)”. To create it: \(creation) \(name.text)"
    }
  }

  private struct Name {
    let text: String
    let isGroup: Bool
    let line: Int

    var kind: String { isGroup ? "group" : "counter" }
  }

  /// The names, each once, with the lines of their bindings, in the order of the file.
  private static func named(in configuration: Configuration) -> [Name] {
    var all: [Name] = []
    for binding in configuration.bindings + configuration.rules.flatMap(\.bindings) {
      let actions = [binding.action] + (binding.ending.map { [$0] } ?? [])
      for action in actions.flatMap({ [$0] + $0.further }) {
        let line = binding.line ?? 0
        if let counter = action.counter { all.append(Name(text: counter, isGroup: false, line: line)) }
        if case .group(let group)? = action.scope { all.append(Name(text: group, isGroup: true, line: line)) }
      }
    }
    for rule in configuration.feedback.rules {
      if let counter = rule.counter { all.append(Name(text: counter, isGroup: false, line: rule.line)) }
    }
    var names: [Name] = []
    for name in all.sorted(by: { $0.line < $1.line }) {
      if !names.contains(where: { $0.text == name.text && $0.isGroup == name.isGroup }) { names.append(name) }
    }
    return names
  }
}
