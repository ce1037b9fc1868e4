import ArgumentParser
import Varlink

/// `tally group`: counters that belong together.
struct GroupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group",
    abstract: "Make, show, change and remove groups of counters.",
    discussion: """
      Examples:
        tally group new players --colour green
        tally move anna --group players
        tally group players                    (values, sum, highest, lowest, shares)
        tally reset --group players
      """,
    subcommands: [Show.self, New.self, SetCommand.self, Rename.self, Move.self, Remove.self],
    defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a group: values, sum, highest, lowest, and shares in per cent.",
      discussion: "Example: tally group players; without a name it lists the groups.")

    @Argument(help: "The group.") var name: String?
    @OptionGroup var options: CommonOptions

    func run() throws {
      let core = try CoreClient(options)
      guard let name else {
        let groups = try core.call("Groups")["groups"]?.array ?? []
        if groups.isEmpty, !options.json { Output.line("There is no group yet. Make one: tally group new kids") }
        for group in groups { Output.line(options.json ? group.description : GroupLine.line(group.object ?? [:])) }
        return
      }
      let overview = try core.call("Overview", ["group": .string(name)])
      if options.json { return Output.line(JSON.object(overview).description) }
      for line in GroupLine.overview(overview) { Output.line(line) }
    }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a group.", discussion: "Example: tally group new players --colour green")

    @Argument(help: "What you will call it.") var name: String
    @OptionGroup var looks: LooksOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try GroupCommand.change("CreateGroup", name, looks.parameters, options) }
  }

  struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change what a group looks like.",
      discussion: "Example: tally group set players --colour blue")

    @Argument(help: "The group.") var name: String
    @OptionGroup var looks: LooksOptions
    @Option(help: ArgumentHelp("A setting that is to be as if it had never been made.", valueName: "setting"))
    var clear: [String] = []
    @OptionGroup var options: CommonOptions

    func run() throws {
      var parameters = looks.parameters
      if !clear.isEmpty { parameters["clear"] = .array(clear.map(JSON.string)) }
      try GroupCommand.change("SetGroup", name, parameters, options)
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Call a group otherwise.", discussion: "Example: tally group rename players team")

    @Argument(help: "The group.") var name: String
    @Argument(help: "Its new name.") var newName: String
    @OptionGroup var options: CommonOptions

    func run() throws { try GroupCommand.change("SetGroup", name, ["newName": .string(newName)], options) }
  }

  struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put a group elsewhere among the groups.",
      discussion: "Example: tally group move players --before guests")

    @Argument(help: "The group.") var name: String
    @OptionGroup var place: PlaceOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try GroupCommand.change("MoveGroup", name, place.parameters, options) }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a group away; its counters stay, without a group, and undo brings it back.",
      discussion: "Example: tally group remove players")

    @Argument(help: "The group.") var name: String
    @OptionGroup var options: CommonOptions

    func run() throws { try GroupCommand.change("RemoveGroup", name, [:], options) }
  }

  private static func change(
    _ method: String, _ name: String, _ parameters: JSONObject, _ options: CommonOptions
  ) throws {
    var parameters = parameters
    parameters["name"] = .string(name)
    let event = try CoreClient(options).change(method, parameters)
    Output.line(options.json ? event.json.description : event.sentence)
  }
}
