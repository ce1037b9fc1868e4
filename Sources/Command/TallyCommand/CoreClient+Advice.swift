import CoreAPI
import Counting
import Linux
import Text

/// Advice about errors of the core, which needs the names that the core knows.
extension CoreClient {
  /// The text of an error about a name of another kind of entity, such as a group if a counter is expected; `nil` for
  /// other errors.
  func otherText(for refusal: Counters.Refusal) -> String? {
    let (verb, words) = (Tally.words.first ?? "", Tally.words)
    /// Whether the name follows the command, not an option.
    func isSubject(_ name: String) -> Bool { words.dropFirst().first { !$0.hasPrefix("-") } == name }
    switch refusal.reason {
    case .badQuantity(let quantity, let reason):
      // The core states the number in its format, not as it was written.
      guard let word = Self.written(quantity) else { return nil }
      return NumberText.isDuration(word)
        ? "“\(word)” is a time, which only a stopwatch has. Write a number, such as 5."
        : "“\(word)” is not a valid amount: \(reason)."
    case .noSuchCounter(""): return "The name of the counter is empty. “tally show” lists the counters."
    case .noSuchCounter(let name) where Tally.isNumber(name):
      return "“\(name)” is a number, and the name of a counter has a letter. "
        + (verb == "history" ? "The last events: tally history --last \(name)" : "“tally show” lists the counters.")
    case .noSuchCounter(let name):
      guard let list = try? client.call(.list) else { return nil }
      if let formula = list.formulas.first(where: { $0.name == name }) {
        return "“\(name)” is a formula, which has no counts of its own: \(name) = \(formula.formula.printableLine). "
          + "Name counters instead. Its present value: tally show \(name)"
      }
      guard (try? client.call(.groups).groups)?.contains(where: { $0.name == name }) == true else { return nil }
      let lead = "“\(name)” is a group, not a counter."
      if Self.verbsOfGroups.contains(verb) { return "\(lead) Write: tally \(verb) --group \(name)" }
      if verb == "export" { return "\(lead) In place of counters, write: --group \(name)" }
      guard isSubject(name) else { return lead }
      if ["set", "rename", "move", "remove"].contains(verb) { return "\(lead) Write: tally group \(verb) \(name)" }
      let members = list.counters.filter { $0.group == name }.map(\.name)
      return verb == "show" || members.isEmpty
        ? "\(lead) To show it: tally group \(name)"
        : "\(lead) Name one of its counters: \(members.abridged())."
    case .noSuchGroup(let name):
      guard let list = try? client.call(.list) else { return nil }
      let isCounter = list.counters.contains { $0.name == name }
      guard isCounter || list.formulas.contains(where: { $0.name == name }) else { return nil }
      let lead = "“\(name)” is a \(isCounter ? "counter" : "formula"), not a group."
      if verb == "group" {
        let same = words.dropFirst().first { ["set", "rename", "move", "remove"].contains($0) } ?? "show"
        return "\(lead) Write: tally \(same) \(name)"
      }
      if Self.verbsOfGroups.contains(verb) || verb == "show" { return "\(lead) Write: tally \(verb) \(name)" }
      return "\(lead) A group of this name is created with: tally group new \(name)"
    case .badSetting(let setting, let reason) where verb == "fleet":
      let sentence = FleetText.refusal(setting, reason)
      guard reason.hasPrefix("no other station offers"), let fleet = try? client.call(.fleet()) else { return sentence }
      return "\(sentence) \(FleetText(fleet).adviceWithoutOffer)"
    case .badSetting("fleet", _) where Self.hasOption("station", words):
      return "--station needs a fleet, and this core is in none. To join one: tally help fleet"
    case .badSetting(let setting, let reason):
      guard let option = Field(rawValue: setting)?.option, Self.hasOption(option, words) else { return nil }
      return "--\(option)\(reason.hasPrefix("it ") ? reason.dropFirst(2) : ": \(reason)")."
    default: return nil
    }
  }

  private static func hasOption(_ name: String, _ words: [String]) -> Bool {
    words.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
  }

  /// The word of the command line that became this number; `nil` if the number itself was written.
  private static func written(_ quantity: String) -> String? {
    let words = Tally.words.dropFirst().map { $0.split(separator: "=", maxSplits: 1).last.map(String.init) ?? $0 }
    guard !words.contains(quantity) else { return nil }
    return words.first { (try? NumberText.canonical($0)) == quantity }
  }

  /// The commands that take `--group` in place of counters.
  private static let verbsOfGroups: Set<String> = [
    "reset", "start", "stop", "toggle", "lap", "history", "totals", "plot", "report",
  ]

  /// Whether the removal of a counter is the last event of this name, so that an undo of it restores the counter.
  private func wasRemoved(_ name: String) -> Bool {
    let last = try? client.call(.history(limit: 1, .init(counters: [name]))).events.first
    return last?.counter == name && last?.knownKind == .removed
  }

  /// Advice about an error: the existing name that is nearest to an unknown one, or a command.
  func advice(for refusal: Counters.Refusal) -> String? {
    let (missing, known): (String, [String]?)
    var advice: String?
    switch refusal.reason {
    case .noSuchCounter(let name):
      if wasRemoved(name) { return "It was removed; tally undo \(name) brings it back." }
      let counters = try? client.call(.list).counters
      if let titled = counters?.first(where: { $0.title.lowercased() == name.lowercased() }) {
        return "It is the title of \(titled.name)."
      }
      (missing, known) = (name, counters?.map(\.name))
      if let known { advice = known.isEmpty ? "Create one: tally new people" : "There are: \(known.abridged())." }
    case .noSuchGroup(let name):
      (missing, known) = (name, try? client.call(.groups).groups.map(\.name))
      // These commands put counters or formulas into a group, which may have to be created first.
      let fills = ["new", "move", "formula"].contains(Tally.words.first)
      advice =
        known.map { $0.isEmpty || fills } ?? true
        ? "Create it with: tally group new \(name)" : "There are: \((known ?? []).abridged())."
    case .noSuchFormula(let name):
      (missing, known) = (name, try? client.call(.list).formulas.map(\.name))
      advice = "Create it with: tally formula \(name) = \"people * 2\""
    case .badFormula
    where Tally.words.first == "formula" && Tally.words.dropFirst(4).contains(where: SystemProbe.exists):
      return "If the shell replaced * by names of files, put the formula in quotes: tally formula NAME = \"a * 2\""
    case .badName(let name, _) where name.contains(" ") && ["new", "group"].contains(Tally.words.first):
      return "A title may have spaces: --title \"\(name)\""
    case .counterExists(let name): return "To count it: tally add \(name)"
    case .groupExists(let name): return "To put a counter in it: tally move NAME --group \(name)"
    case .noSuchEvent: return "tally history shows the numbers of events."
    case .locked(let name): return "Use: tally unlock \(name)"
    case .nothingToReset: return "Use: tally unlock NAME, or tally archive NAME --back"
    case .archived(let name): return "Use: tally archive \(name) --back"
    case .notStopwatch(let name) where !name.isEmpty: return "A stopwatch is created with: tally new NAME --stopwatch"
    case .nothingToUndo where refusal.message.hasPrefix("There is nothing left"):
      return "tally history shows the numbers of events, which tally undo takes as well."
    default: return nil
    }
    return Suggestion.nearest(to: missing, among: known ?? []).map { "Did you mean “\($0)”?" } ?? advice
  }

  /// Refuses an amount such as `1.000` for a counter without decimals.
  ///
  /// - Parameter name: `nil` for the current counter.
  func refuseThousand(_ amount: String, of name: String?) throws {
    guard NumberText.mayBeThousand(amount), (try? client.call(.get(name)).counter.unit) ?? .things == .things else {
      return
    }
    try NumberText.refuseThousand(amount)
  }

  /// Prints that the setting `limits` has no effect on a counter without a minimum and a maximum.
  func remarkOnLimits(_ settings: Settings, of name: String) {
    guard !isForPrograms, let limits = settings[.limits]?.text, let counter = try? client.call(.get(name)).counter,
      counter.minimum == nil, counter.maximum == nil
    else { return }
    Output.remark(
      "--limits \(limits) has no effect yet: \(counter.name) has no limit. To set one: tally set \(counter.name) --maximum N"
    )
  }
}
