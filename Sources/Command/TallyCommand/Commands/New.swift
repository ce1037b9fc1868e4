import ArgumentParser
import CoreAPI
import Counting

/// `tally new`: creates a counter.
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create a counter, a goal or a stopwatch.",
    discussion: """
      Examples:
        tally new people --title "People at the door" --start 10 --step 2
        tally new litres --decimals 2 --step 0.25 --maximum 40 --limits stop
        tally new pushups --target 100 --every 10
        tally new laps --target 10 --period "daily 04:00 Europe/Berlin"
        tally new anna --stopwatch --group players
      """)

  @Argument(help: "The name: letters, digits, “-”, “_” and “.”.") var name: String
  @Option(help: ArgumentHelp("The number of decimals, 0 to 9. It cannot be changed later.", valueName: "n"))
  var decimals: Int64 = 0
  @Flag(help: "Measure time; see start, stop, toggle and lap. Values are seconds, or 1:30.") var stopwatch = false
  @Option(help: ArgumentHelp("The group of the counter.", valueName: "name"), completion: GroupArgument.completion)
  var group: String?
  @OptionGroup var settings: SettingOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if !(0...9 ~= decimals) { throw ValidationError("--decimals takes a number from 0 to 9.") }
  }

  func run() throws {
    var settings = try settings.settings(in: stopwatch ? .time : .decimal(decimals))
    if let group { settings[.group] = .text(group) }
    let core = try CoreClient(options)
    try core.report(.create(name, decimals: decimals, isStopwatch: stopwatch, settings), \.sentence)
    core.remarkOnLimits(settings, of: name)
  }
}
