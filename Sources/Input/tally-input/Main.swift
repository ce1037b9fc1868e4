import Bindings
import Glibc
import InputDaemon
import InputDevices
import InputTools
import Linux
import Tallymark

/// `tally-input`: configures and tests the devices that `tally-inputd` uses.
@main
enum Main {
  private static let usage = """
    tally-input sets up and tries the clickers, pedals, touchscreens and motion sensors that tally-inputd counts with.

    USAGE: tally-input learn [--config FILE] [--socket PATH]
           tally-input use DEVICE|touchscreens [--config FILE]
           tally-input devices [--config FILE] [--json]
           tally-input screen [--config FILE]
           tally-input monitor [--config FILE] [DEVICE]
           tally-input check FILE
           tally-input tune DEVICE
           tally-input feedback [--config FILE] [DEVICE]
           tally-input record DEVICE > FILE
           tally-input replay [--config FILE] [--device FILE.desc] [--as-fast-as-possible] RECORDING
           tally-input replay [--config FILE] --accelerometer FILE.csv

      learn             ask you to press what you want to count with and what it should do, and write that down
      use DEVICE        count with a device by the defaults: name it in the configuration, and as root let the gesture
                        daemon read it; “use touchscreens” means all of them, as for a kiosk
      devices           list all input devices, whether they would be used and why, and what permission is missing
      screen            say as JSON who counts touches: the gesture daemon, by which gestures and zones, or, where the
                        configuration says ignore = true, a page that is shown on the touchscreen
      monitor [DEVICE]  show live what devices report, what is recognised in it, and the lines that would bind it
      check FILE        say what is wrong in a configuration, with its line; exits with 1 if anything is
      tune DEVICE       measure how you count and how you double-tap, or how you shake, and say what to set
      feedback [DEVICE] play each feedback signal of a device and say what it means, to try whether you notice them and
                        can tell them apart
      record DEVICE     write what a device reports, as evemu's text, until Ctrl-C; of an accelerometer what it feels, as
                        lines of seconds and m/s²
      replay RECORDING  print each gesture that is in a recording as a line of JSON, with what it would do

      DEVICE            /dev/input/event5 or a link to it, event5, an id such as 0c45:7403, or a pattern for the name;
                        /dev/iio:device0, or a motion sensor's label

      --config FILE     what is used and what gestures do. Without it: $XDG_CONFIG_HOME/tallymark/input.toml, else
                        ~/.config/tallymark/input.toml, else /etc/tallymark/input.toml, else defaults.
      --socket PATH     the core's socket. Without it: $TALLYMARK_SOCKET, else whichever of
                        $XDG_RUNTIME_DIR/tallymark/tallymark.sock and \(CoreSocket.system) answers first.
      --device FILE.desc  the device of a recording that does not describe it (else the .desc beside it)
      --accelerometer FILE.csv  what an accelerometer felt: t_seconds,x,y,z in the first line, then seconds and m/s²
      --as-fast-as-possible  do not wait as long between gestures as the person did
      --json            one JSON object for each device
      --version         print the version
      -h, --help        print this

    EXAMPLE: tally-input learn
    """

  static func main() {
    CommandRunner.run(as: "tally-input") {
      let options = try Options(
        CommandLine.arguments.dropFirst(), flags: ["help", "version", "json", "as-fast-as-possible"],
        valued: ["config", "socket", "device", "accelerometer"])
      if options.has("help") { return StandardOutput.line(usage) }
      if options.has("version") { return StandardOutput.line("tally-input \(Product.version)") }
      try run(options)
    }
  }

  private static func run(_ options: Options) throws {
    switch options.words.first {
    case nil: throw UsageError("tally-input needs a command, such as learn.")
    case "check": check(try argument("a file", options), socket: options.value(of: "socket"))
    case "devices":
      try refuseMore(than: 1, options)
      try devices(options)
    case "screen":
      try refuseMore(than: 1, options)
      StandardOutput.line(try SeatCheck(try configuration(options)).json)
    case "feedback":
      try refuseMore(than: 2, options)
      exit(try FeedbackTrial.run(options.words.dropFirst().first.map(DeviceChoice.init), try configuration(options)))
    case "learn":
      try refuseMore(than: 1, options)
      exit(try Learner(option: options.value(of: "config"), socket: options.value(of: "socket")).run())
    case "use":
      let device = try argument("a device, or the word touchscreens", options)
      exit(try DeviceUse.run(device, option: options.value(of: "config")))
    case "monitor":
      try refuseMore(than: 2, options)
      try Monitor(try configuration(options)).run(options.words.dropFirst().first.map(DeviceChoice.init))
    case "tune": try Tuner.run(DeviceChoice(try argument("a device", options)))
    case "record": try DeviceRecorder.run(DeviceChoice(try argument("a device", options)))
    case "replay": try replay(options)
    case let word?: throw UsageError("There is no “tally-input \(word)”.")
    }
  }

  private static func replay(_ options: Options) throws {
    if let file = options.value(of: "accelerometer") {
      try refuseMore(than: 1, options)
      try Replay.runAccelerometer(file, configuration: try configuration(options))
    } else {
      try Replay.run(
        try argument("a recording", options), devicePath: options.value(of: "device"),
        configuration: try configuration(options), keepsTime: !options.has("as-fast-as-possible"))
    }
  }

  private static func check(_ file: String, socket: String?) {
    do {
      let configuration = try ConfigurationFile.read(file)
      let refusals = ConfigurationSummary.refusals(
        configuration, connected: (try? DeviceInventory().nodes()) ?? [])
      guard refusals.isEmpty else {
        for line in refusals { StandardOutput.line(line) }
        exit(1)
      }
      let missing = MissingCounters.lines(configuration, socket: socket)
      StandardOutput.line(ConfigurationSummary.text(configuration, faults: missing ?? []))
      guard let missing else {
        return StandardOutput.line("No core answers, so it is not known whether it has these counters.")
      }
      if !missing.isEmpty { exit(1) }
    } catch {
      // The lines go to standard output: they are the result that was asked for.
      StandardOutput.line("\(error)")
      exit(1)
    }
  }

  private static func devices(_ options: Options) throws {
    let reports = try DeviceList.reports(try configuration(options))
    if !options.has("json") { return StandardOutput.line(DeviceReport.text(reports)) }
    for report in reports { StandardOutput.line("\(report.json)") }
  }

  private static func configuration(_ options: Options) throws -> Configuration {
    try ConfigurationFile.inForce(option: options.value(of: "config"))
  }

  /// The one word after the command.
  private static func argument(_ what: String, _ options: Options) throws -> String {
    try refuseMore(than: 2, options)
    guard options.words.count == 2 else { throw UsageError("\(options.words[0]) needs \(what).") }
    return options.words[1]
  }

  private static func refuseMore(than count: Int, _ options: Options) throws {
    guard options.words.count <= count else { throw UsageError("“\(options.words[count])” is one word too many.") }
  }
}
