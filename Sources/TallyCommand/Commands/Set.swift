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
