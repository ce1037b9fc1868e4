import ArgumentParser
import Counting
import Varlink

/// `tally new`: makes a counter.
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter, a goal or a stopwatch.",
    discussion: """
      Examples:
        tally new people --title "People at the door" --start 10 --step 2
        tally new litres --decimals 2 --step 0.25 --minimum 0 --maximum 40 --limits stop
        tally new pushups --target 100 --every 10
        tally new laps --target 10 --period "daily 04:00 Europe/Berlin"
        tally new anna --stopwatch --group players
      """)

  @Argument(help: "What you will call it: letters, digits, “-”, “_” and “.”.") var name: String
  @Option(help: ArgumentHelp("How many digits stand behind the point, 0 to 9, for good.", valueName: "n"))
  var decimals: Int64 = 0
  @Flag(help: "It measures time: start, stop, toggle and lap it. Numbers are seconds, or 1:30.") var stopwatch = false
  @Option(help: ArgumentHelp("The group it belongs to.", valueName: "name")) var group: String?
  @OptionGroup var settings: SettingOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if !(0...9 ~= decimals) { throw ValidationError("--decimals takes a number from 0 to 9.") }
  }

  func run() throws {
    var parameters = try settings.parameters(in: stopwatch ? .time : .decimal(decimals))
    parameters["name"] = .string(name)
    parameters["group"] = group.map(JSON.string)
    if decimals != 0 { parameters["decimals"] = .int(decimals) }
    if stopwatch { parameters["kind"] = "stopwatch" }
    let event = try CoreClient(options).change("Create", parameters)
    Output.line(options.json ? event.json.description : "\(event.count) \(event.name)")
  }
}
