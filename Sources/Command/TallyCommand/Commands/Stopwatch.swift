import ArgumentParser
import CoreAPI
import Counting
import Varlink

/// `tally start`: starts a stopwatch.
struct Start: StopwatchCommand {
  static let verb = Change.StopwatchVerb.start
  static let configuration = about("Start a stopwatch, or those of a group.", "start anna", "start --group players")
  @OptionGroup var stopwatch: StopwatchArguments
}

/// `tally stop`: stops a stopwatch.
struct Stop: StopwatchCommand {
  static let verb = Change.StopwatchVerb.stop
  static let configuration = about(
    "Stop a stopwatch, or those of a group. They keep their time.", "stop anna", "stop --all")
  @OptionGroup var stopwatch: StopwatchArguments
}

/// `tally toggle`: starts a stopped stopwatch, stops a running one.
struct Toggle: StopwatchCommand {
  static let verb = Change.StopwatchVerb.toggle
  static let configuration = about(
    "Start a stopped stopwatch, stop a running one. Of a group stop those that run; if none runs, start all.",
    "toggle anna", "toggle --group players")
  @OptionGroup var stopwatch: StopwatchArguments
}

/// `tally lap`: ends a lap.
struct Lap: StopwatchCommand {
  static let verb = Change.StopwatchVerb.lap
  static let configuration = about(
    "End a lap of a stopwatch, or of those of a group that run. They continue to run.", "lap anna",
    "lap --group players")
  @OptionGroup var stopwatch: StopwatchArguments
}

protocol StopwatchCommand: ParsableCommand {
  static var verb: Change.StopwatchVerb { get }
  var stopwatch: StopwatchArguments { get }
}

extension StopwatchCommand {
  static func about(_ abstract: String, _ examples: String...) -> CommandConfiguration {
    CommandConfiguration(
      abstract: abstract,
      discussion: (["Examples:"] + examples.map { "  tally \($0)" }).joined(separator: "\n"))
  }

  func run() throws {
    let core = try CoreClient(stopwatch.options)
    try core.report(.clock(stopwatch.scope, Self.verb)) { event in
      let members = try core.members(of: event).standing
      if !members.isEmpty { return "\(event.subject.capitalisedStart): \(members) (\(event.what))" }
      let isArchived = !event.name.isEmpty && core.present(event.name)?.isArchived == true
      return isArchived ? "\(event.count) \(event.name) (archived) (\(event.what))" : event.sentence
    }
  }
}

struct StopwatchArguments: ParsableArguments {
  @Argument(help: "The stopwatch; default: the current counter.", completion: CounterArgument.completionOfCounts)
  var name: String?
  @Option(
    help: ArgumentHelp("All stopwatches of this group that are neither locked nor archived.", valueName: "name"),
    completion: GroupArgument.completion)
  var group: String?
  @Flag(help: "All stopwatches that are neither locked nor archived.") var all = false
  @OptionGroup var options: CommonOptions

  var scope: Counters.Scope { all ? .all : group.map(Counters.Scope.group) ?? .one(name) }

  func validate() throws {
    guard [name != nil, group != nil, all].filter(\.self).count <= 1 else {
      throw ValidationError("State only one of: the name of a stopwatch, --group with the name of a group, --all.")
    }
  }
}
