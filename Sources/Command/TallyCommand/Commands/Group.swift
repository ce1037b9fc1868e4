import ArgumentParser
import CoreAPI
import Counting
import JSON
import Varlink

/// `tally group`: shows, creates, changes or removes groups.
struct GroupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group",
    abstract: "Create, show, change and remove groups of counters.",
    discussion: """
      Examples:
        tally group new players --colour green
        tally move anna --group players
        tally group players  (values, sum, highest, lowest, shares)
        tally reset --group players
      """,
    subcommands: [Show.self, New.self, SetCommand.self, Rename.self, Move.self, Remove.self],
    defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a group: values, sum, highest, lowest, and shares in percent.",
      discussion: "Example: tally group players; without a name it lists the groups.")

    @Argument(help: "The group.", completion: GroupArgument.completion) var name: String?
    @OptionGroup var options: CommonOptions

    func run() throws {
      let core = try CoreClient(options)
      let groups = try core.call(.groups).groups
      // A person may type “tally group list” for the list.
      guard let name, !["list", "ls"].contains(name) || groups.contains(where: { $0.name == name }) else {
        if groups.isEmpty, !options.json { Output.line("There is no group yet. Create one: tally group new kids") }
        for group in groups { Output.line(options.json ? group.json.description : GroupLine.line(group)) }
        return
      }
      let overview = try core.call(.overview(name))
      let list = try core.call(.list)
      let formulas = list.formulas.filter { $0.group == name && !$0.isArchived }.map(FormulaLine.init)
      if options.json { return Output.line(GroupLine.json(overview, formulas).description) }
      let archived = list.counters.filter { $0.group == name && $0.isArchived }.map(\.name)
      for line in GroupLine.overview(overview, formulas, archived: archived) { Output.line(line) }
    }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create a group.", discussion: "Example: tally group new players --colour green")

    @Argument(help: "The name of the group.") var name: String
    @OptionGroup var looks: LooksOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try options.change(.createGroup(name, looks.lookSettings)) { _ in
        "Created the group \(name). Put counters in it: tally move NAME --group \(name)"
      }
    }
  }

  struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change settings of a group.",
      discussion: "Example: tally group set players --colour blue")

    @Argument(help: "The group.", completion: GroupArgument.completion) var name: String
    @OptionGroup var looks: LooksOptions
    @Option(help: ArgumentHelp("A setting to clear; can be given more than once.", valueName: "setting"))
    var clear: [String] = []
    @OptionGroup var options: CommonOptions

    func run() throws {
      var settings = looks.lookSettings
      try settings.clear(clear)
      if settings.isEmpty { throw ValidationError("State at least one setting; tally help group set lists them.") }
      try options.change(.setGroup(name, settings))
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Rename a group.", discussion: "Example: tally group rename players team")

    @Argument(help: "The group.", completion: GroupArgument.completion) var name: String
    @Argument(help: "Its new name.") var newName: String
    @OptionGroup var options: CommonOptions

    func run() throws {
      try options.change(.setGroup(name, [.name: .text(newName)])) { _ in "Renamed the group \(name) to \(newName)." }
    }
  }

  struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Move a group within the list of groups.",
      discussion: "Example: tally group move players --before guests")

    @Argument(help: "The group.", completion: GroupArgument.completion) var name: String
    @OptionGroup var place: PlaceOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try options.change(.moveGroup(name, to: try place.place(of: name))) { place.sentence(name, $0) }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a group; its counters remain without a group. Undo restores it.",
      discussion: "Example: tally group remove players")

    @Argument(help: "The group.", completion: GroupArgument.completion) var name: String
    @OptionGroup var options: CommonOptions

    func run() throws { try options.changeCurrent(.removeGroup(name)) { _, _ in "Removed the group \(name)." } }
  }
}
