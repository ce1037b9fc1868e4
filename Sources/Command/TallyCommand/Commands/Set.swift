import ArgumentParser
import CoreAPI
import Counting
import Varlink

/// `tally set`: changes settings of a counter.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change settings of a counter, or the looks of a formula.",
    discussion: """
      Takes effect at once. Undo restores the former settings.
      Examples:
        tally set people --colour orange --icon 🧍 --tags door,main
        tally set people --maximum 80 --limits refuse
        tally set people --clear maximum --clear note
      """)

  @Argument(help: "The counter or formula.", completion: CounterArgument.completion) var name: String
  @Option(help: ArgumentHelp("The group to move to.", valueName: "name"), completion: GroupArgument.completion)
  var group: String?
  @Option(
    help: ArgumentHelp(
      "A setting to clear; can be given more than once. The settings: \(Field.clearableOfCounters).",
      valueName: "setting"),
    completion: .list(Field.clearable.map(\.option)))
  var clear: [String] = []
  @OptionGroup var settings: SettingOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    if try core.call(.list).formulas.contains(where: { $0.name == name }) { return try setFormula(core) }
    var settings = try settings.settings(in: try core.call(.get(name)).counter.unit)
    if let group { settings[.group] = .text(group) }
    try settings.clear(clear)
    if settings.isEmpty { throw ValidationError("State at least one setting; tally help set lists them.") }
    try core.report(.set(name, settings), \.sentence)
    core.remarkOnLimits(settings, of: name)
  }

  /// Sets the settings that a formula has: title, colour, icon, note and group.
  private func setFormula(_ core: CoreClient) throws {
    var texts = settings.lookSettings
    guard try settings.settings(in: .things) == texts else {
      throw ValidationError("“\(name)” is a formula, which only has --title, --colour, --icon, --note and --group.")
    }
    if let group { texts[.group] = .text(group) }
    try texts.clear(clear)
    if texts.isEmpty { throw ValidationError("State at least one setting; tally help set lists them.") }
    try core.report(.set(name, texts), \.sentence)
  }
}
