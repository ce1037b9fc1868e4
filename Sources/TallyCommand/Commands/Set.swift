import ArgumentParser
import Counting
import Varlink

/// `tally set`: makes settings of a counter others.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change what a counter is like: its looks, steps, limits, goal.",
    discussion: """
      Takes effect at once, and undo brings back what was.
      Examples:
        tally set people --colour orange --icon 🧍 --tags door,main
        tally set people --maximum 80 --limits refuse
        tally set people --clear maximum --clear note
      """)

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Option(help: ArgumentHelp("The group it belongs to from now on.", valueName: "name")) var group: String?
  @Option(
    help: ArgumentHelp(
      "A setting that is to be as if it had never been made; can be given again.", valueName: "setting"),
    completion: .list(Self.clearable))
  var clear: [String] = []
  @OptionGroup var settings: SettingOptions
  @OptionGroup var options: CommonOptions

  private static let clearable = Field.allCases.filter { $0.isSetting && $0 != .name && $0 != .order }.map(\.rawValue)

  func run() throws {
    let core = try CoreClient(options)
    let counter = CounterLine(try core.call("Get", ["name": .string(name)])["counter"]?.object ?? [:])
    var parameters = try settings.parameters(in: counter.unit)
    parameters["group"] = group.map(JSON.string)
    if !clear.isEmpty { parameters["clear"] = .array(clear.map(JSON.string)) }
    if parameters.isEmpty { throw ValidationError("Say what is to be changed; tally help set lists it.") }
    parameters["name"] = .string(name)
    let event = try core.change("Set", parameters)
    Output.line(options.json ? event.json.description : event.sentence)
  }
}

/// `tally rename`: calls a counter otherwise.
struct Rename: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Call a counter otherwise; its history goes with it.", discussion: "Example: tally rename people visitors"
  )

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Argument(help: "Its new name.") var newName: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Set", ["name": .string(name), "newName": .string(newName)])
    Output.line(options.json ? event.json.description : "\(name) is called \(event.name) now.")
  }
}

/// `tally archive`: puts a counter away.
struct Archive: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a counter away, or take it out again: it keeps its value and history, and is passed over.",
    discussion: "Example: tally archive people, and later tally archive people --back")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Flag(help: "Take it out again.") var back = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Set", ["name": .string(name), "archived": .bool(!back)])
    let words = back ? "is out again" : "is put away"
    Output.line(options.json ? event.json.description : "\(event.name) \(words), at \(event.count).")
  }
}

/// `tally lock`: protects a counter.
struct Lock: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter refuse everything until it is unlocked.", discussion: "Example: tally lock people")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Lock", ["name": .string(name)])
    Output.line(options.json ? event.json.description : "\(event.name) is locked at \(event.count).")
  }
}

/// `tally unlock`: lets a counter count again.
struct Unlock: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let a locked counter count again.", discussion: "Example: tally unlock people")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Unlock", ["name": .string(name)])
    Output.line(options.json ? event.json.description : "\(event.name) counts again, from \(event.count).")
  }
}

/// `tally move`: puts a counter elsewhere.
struct Move: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a counter elsewhere in its group, or into another one.",
    discussion: """
      Examples:
        tally move dogs --before people
        tally move dogs --group animals
        tally move dogs --group "" --first     (out of its group)
      """)

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Option(help: ArgumentHelp("Into this group; none for an empty name.", valueName: "name")) var group: String?
  @OptionGroup var place: PlaceOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    var parameters = place.parameters
    parameters["name"] = .string(name)
    parameters["group"] = group.map(JSON.string)
    let event = try CoreClient(options).change("Move", parameters)
    Output.line(options.json ? event.json.description : "Moved \(name).")
  }
}
