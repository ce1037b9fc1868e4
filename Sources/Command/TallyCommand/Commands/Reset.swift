import ArgumentParser
import CoreAPI
import Counting
import Reports
import Varlink

/// `tally reset`: resets counters, which needs two requests.
struct Reset: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reset a counter, a group or all counters to the start value. Must be repeated to take effect.",
    discussion: """
      The first call arms the reset; a second call from the same terminal within 3 seconds (reset-window in core.toml) \
      carries it out. Undo restores the values. Locked and archived counters are left out when a group or all counters \
      are reset. In a fleet a reset removes the counts that this station knows.
      Examples:
        tally reset people
        tally reset              (the current counter)
        tally reset --group players
        tally reset --all --yes  (in a script: at once)
      """)

  @Argument(help: "The counter; default: the current counter.", completion: CounterArgument.completion)
  var name: String?
  @Option(
    help: ArgumentHelp("Reset all counters of this group.", valueName: "name"), completion: GroupArgument.completion)
  var group: String?
  @Flag(help: "Reset all counters.") var all = false
  @Flag(help: "Reset at once.") var yes = false
  @OptionGroup var options: CommonOptions

  func validate() throws {
    guard [name != nil, group != nil, all].filter(\.self).count <= 1 else {
      throw ValidationError("State only one of: the name of a counter, --group with the name of a group, --all.")
    }
  }

  func run() throws {
    let scope: Counters.Scope = all ? .all : group.map(Counters.Scope.group) ?? .one(name)
    let core = try CoreClient(options)
    let obstacle = obstacle(core)
    if let obstacle {
      guard yes else { throw ValidationError(obstacle) }
      // A script that resets all counters in any state continues.
      return options.json ? () : Output.line("Nothing was reset. \(obstacle)")
    }
    let event = try core.change(.reset(scope, isConfirmed: yes, by: Terminal.name))
    if options.json { return core.printJSON(event) }
    let isDone = event.name.isEmpty && event.knownKind != .armed
    let omitted = isDone ? Self.omitted(try core.call(.list).counters, group: group) : ""
    let members = try core.members(of: event).standing
    let values = members.isEmpty ? "" : ": \(members)"
    Output.line(isDone ? "Reset \(event.subject)\(values)\(omitted)." : sentence(event, members))
    if isDone || event.knownKind == .reset { sayAbsent(core, event.name) }
  }

  /// Prints which stations have not received the reset.
  private func sayAbsent(_ core: CoreClient, _ name: String) {
    guard let fleet = try? core.client.call(.fleet()),
      fleet.counters.contains(where: { name.isEmpty || $0.name == name })
    else { return }
    if let absent = FleetText(fleet).absent { Output.line(absent) }
  }

  /// The reason why a reset of a group, or of all counters, would have no effect; `nil` if the reset would have an
  /// effect, or if only the core can tell.
  private func obstacle(_ core: CoreClient) -> String? {
    guard all || group != nil, let list = try? core.client.call(.list).counters,
      let groups = try? core.client.call(.groups).groups
    else { return nil }
    if let group, !groups.contains(where: { $0.name == group }) { return nil }
    return Self.obstacle(among: list, group: group)
  }

  /// The reason, for the counters in `list`.
  static func obstacle(among list: [Counters.Counter], group: String?) -> String? {
    let members = list.filter { group == nil || $0.group == group }
    guard !members.contains(where: { !$0.isLocked && !$0.isArchived }) else { return nil }
    if let group, members.allSatisfy(\.isArchived) {
      return GroupLine.empty(group, archived: members.map(\.name))
    }
    if members.isEmpty { return "There is no counter to reset. Create one: tally new people" }
    return "Every counter\(group.map { " of \($0)" } ?? "") is locked or archived: \(members.map(\.name).abridged())."
  }

  private func sentence(_ event: EventLine, _ members: String) -> String {
    guard event.knownKind == .armed else { return event.sentence }
    let window = (event.until ?? 0) &- event.time
    let within = Self.seconds(window)
    return event.name.isEmpty
      ? "\(event.subject.capitalisedStart): \(members). To reset \(event.group == nil ? "them" : "it"), repeat the command within \(within) seconds."
      : "\(event.name) is at \(event.count). To reset it, repeat the command within \(within) seconds."
  }

  /// The locked counters that a reset of a group, or of all counters, skipped: `; t is locked and stays at 4`.
  static func omitted(_ counters: [Counters.Counter], group: String?) -> String {
    let locked = counters.filter { counter in
      counter.isLocked && !counter.isArchived && (group == nil || counter.group == group)
    }
    .map(CounterLine.init)
    guard let first = locked.first else { return "" }
    if locked.count == 1 { return "; \(first.name) is locked and stays at \(first.count)" }
    return "; locked and not reset: \(locked.map(\.name).counted)"
  }

  /// A duration in microseconds as seconds without trailing zeros: `3`, `0.6`.
  static func seconds(_ microseconds: Int64) -> String {
    Unit.decimal(6).text(microseconds).withoutTrailingZeros
  }
}
