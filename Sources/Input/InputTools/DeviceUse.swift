public import Bindings
import Gestures
public import InputDaemon
import InputDevices
import Linux
import Tallymark

/// `tally-input use`: names a device in the configuration so that it counts, and permits the gesture daemon to read it;
/// or enables all touchscreens.
public enum DeviceUse {
  private static let touchscreens = "touchscreens"

  /// Carries out the command; returns the exit code.
  ///
  /// - Parameters:
  ///   - word: `touchscreens`, or a ``DeviceChoice``.
  ///   - option: the value of `--config`.
  /// - Throws: `UsageError` if no such device is connected, or if the word also selects a keyboard; a `SystemError` if
  ///   a file cannot be written.
  public static func run(_ word: String, option: String?) throws -> Int32 {
    let file = try ConfigurationFile.placeToWrite(option: option)
    var text = ConfigurationText(try ConfigurationFile.text(file) ?? "")
    if [touchscreens, "touchscreen"].contains(word.lowercased()) {
      text.useTouchscreens()
      try write(text, to: file)
      say("Touchscreens count from now on: \(file).")
      return 0
    }
    let all = try DeviceInventory().nodes()
    let nodes = try chosen(DeviceChoice(word), among: all)
    let former = try ConfigurationFile.parse(text.description, file: file)
    for node in nodes {
      let name = node.title
      if case .used(let rule) = former.rule(for: node.description), case .configuration = rule.source {
        say("\(name) is \(rule.source) already.")
        continue
      }
      if case .unused(.ignored) = former.rule(for: node.description) {
        say("\(name) stays unused: \(former.rule(for: node.description)).")
        return 1
      }
      text.append(lines(for: node, among: all))
      say("\(name) counts from now on: \(file).")
      if node.description.typesLetters { say("It can type letters; the gesture daemon reads every key of it.") }
    }
    try write(text, to: file)
    return try givePermission(nodes.filter { !$0.description.isSensor })
  }

  private static func chosen(_ choice: DeviceChoice, among all: [DeviceNode]) throws(UsageError) -> [DeviceNode] {
    let nodes = try choice.found(among: all)
    guard !choice.isNode, let keyboard = nodes.first(where: { $0.description.typesLetters && !$0.description.isKnown })
    else { return nodes }
    throw UsageError(
      """
      \(keyboard.title) can type letters and is not known as a clicker. \
      To count with every key of it: tally-input use \(keyboard.path).
      """)
  }

  /// `[[device]]` for a node. A known clicker that types is grabbed.
  static func lines(for node: DeviceNode, among all: [DeviceNode]) -> [String] {
    let device = PhysicalDevice.all(all).first { $0.has(node) } ?? PhysicalDevice(nodes: [node])
    let takes = node.description.typesLetters && node.description.isKnown
    return BindingText.device(device, node.description, among: PhysicalDevice.all(all))
      + (takes ? ["grab = true  # no other program sees its keys"] : [])
  }

  /// Writes the configuration, after checking it.
  private static func write(_ text: ConfigurationText, to file: String) throws {
    _ = try ConfigurationFile.parse(text.description, file: file)
    try FileContent.replace(file, with: Array(text.description.utf8))
  }

  private static func givePermission(_ nodes: [DeviceNode]) throws -> Int32 {
    if UdevRule.areInstalled(for: nodes) { return 0 }
    guard ServiceProcess.user == 0 else {
      if nodes.allSatisfy({ NodeAccess(of: $0.path) == .allowed }) { return 0 }
      say("The gesture daemon may not read it yet. This lets the group tallymark-input do so:")
      say("  \(UdevRule.command(for: nodes))")
      return 0
    }
    do {
      try UdevRule.install(for: nodes)
      say("The group tallymark-input may read it: \(UdevRule.file).")
      return 0
    } catch {
      say("\(error). This would let the group tallymark-input read it:\n  \(UdevRule.command(for: nodes))")
      return 1
    }
  }

  private static func say(_ text: String) { StandardOutput.line(text) }
}

extension DeviceDescription {
  /// Whether the list of known devices contains the device.
  var isKnown: Bool { KnownDevice.shipped.contains { $0.conditions.match(self) } }
}

/// `tally-input devices`: all devices, and the strokes that the daemons using them have ignored.
public enum DeviceList {
  /// The reports on all devices, in the order of ``DeviceReport/all(_:)``.
  ///
  /// Only a user who may receive a daemon's devices gets the numbers of ignored strokes.
  public static func reports(_ configuration: Configuration) throws -> [DeviceReport] {
    let reports = try DeviceReport.all(configuration)
    let loop = try EventLoop()
    let daemons = try RelayClient(loop: loop) { _ in }
    for report in reports where report.isWanted { daemons.listen(to: report.node) { _ in } }
    try daemons.waitForReports()
    return reports.map { report in
      var report = report
      report.ignored = daemons.ignored(of: report.node)
      return report
    }
  }
}
