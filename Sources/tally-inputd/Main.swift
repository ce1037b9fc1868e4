import Bindings
import GestureService
import Glibc
import Platform
import Toml

/// `tally-inputd`: the gesture daemon.
@main
enum Main {
  private static let usage = """
    tally-inputd reads clickers, pedals and touchscreens, recognises what people do with them, and tells the core.

    USAGE: tally-inputd [--config FILE] [--socket PATH] [--producer NAME] [--terminal]
           tally-inputd check FILE
           tally-inputd devices [--config FILE] [--json]
           tally-inputd feedback [--config FILE] [DEVICE]
           tally-inputd learn [--config FILE] [--socket PATH]
           tally-inputd monitor [--config FILE] [DEVICE]
           tally-inputd tune DEVICE
           tally-inputd record DEVICE > FILE
           tally-inputd replay [--config FILE] [--device FILE.desc] [--as-fast-as-possible] RECORDING
           tally-inputd replay [--config FILE] --accelerometer FILE.csv

      check FILE        say what is wrong in a configuration, with its line; exits with 1 if anything is
      devices           list all input devices, whether they would be used and why, and what permission is missing
      feedback [DEVICE] play everything that devices answer with, saying what it means: that all of them can be told
                        apart, and reach you
      learn             ask you to press what you want to count with and what it should do, and write that down
      monitor [DEVICE]  show live what devices report, what is recognised in it, and the lines that would bind it
      tune DEVICE       measure how you count and how you double-tap, or how you shake, and say what to set
      record DEVICE     write what a device reports, as evemu's text, until Ctrl-C; of an accelerometer what it feels, as
                        lines of seconds and m/s²
      replay RECORDING  print each gesture that is in a recording as a line of JSON, with what it would do

      DEVICE            /dev/input/event5 or a link to it, event5, an id such as 0c45:7403, or a pattern for the name;
                        /dev/iio:device0, or a motion sensor's label

      --config FILE     what is used and what gestures do. Without it: $XDG_CONFIG_HOME/tallymark/input.toml, else
                        ~/.config/tallymark/input.toml, else /etc/tallymark/input.toml, else defaults.
      --socket PATH     the core's socket. Without it: $TALLYMARK_SOCKET, else whichever of
                        $XDG_RUNTIME_DIR/tallymark/tallymark.sock and \(CoreSocket.system) answers first.
      --producer NAME   the name to deliver under, by which the core tells the daemons of a user apart (tally-inputd)
      --terminal        count with the terminal's own keys as well: space or Enter adds, - or the down arrow takes off,
                        u undoes, q quits
      --device FILE.desc  the device of a recording that does not describe it (else the .desc beside it)
      --accelerometer FILE.csv  what an accelerometer felt: t_seconds,x,y,z in the first line, then seconds and m/s²
      --as-fast-as-possible  do not wait as long between gestures as the person did
      --json            one JSON object for each device
      --version         print the version
      -h, --help        print this

    EXAMPLE: tally-inputd check ~/.config/tallymark/input.toml && tally-inputd
    """

  static func main() {
    do {
      let options = try Options(
        CommandLine.arguments.dropFirst(), flags: ["help", "version", "terminal", "json", "as-fast-as-possible"],
        valued: ["config", "socket", "producer", "device", "accelerometer"])
      if options.has("help") { return StandardOutput.line(usage) }
      if options.has("version") { return StandardOutput.line("tally-inputd \(Product.version)") }
      switch options.words.first {
      case nil: try run(options)
      case "check": check(try argument("a file", options))
      case "devices":
        try refuseMore(than: 1, options)
        try devices(options)
      case "feedback":
        try refuseMore(than: 2, options)
        exit(try FeedbackTrial.run(options.words.dropFirst().first.map(DeviceChoice.init), try configuration(options)))
      case "learn":
        try refuseMore(than: 1, options)
        exit(try Learner(option: options.value(of: "config"), socket: options.value(of: "socket")).run())
      case "monitor":
        try refuseMore(than: 2, options)
        try Monitor(try configuration(options)).run(options.words.dropFirst().first.map(DeviceChoice.init))
      case "tune": try Tuner.run(DeviceChoice(try argument("a device", options)))
      case "record": try DeviceRecorder.run(DeviceChoice(try argument("a device", options)))
      case "replay" where options.value(of: "accelerometer") != nil:
        try refuseMore(than: 1, options)
        try Replay.runAccelerometer(
          options.value(of: "accelerometer") ?? "", configuration: try configuration(options))
      case "replay":
        try Replay.run(
          try argument("a recording", options), devicePath: options.value(of: "device"),
          configuration: try configuration(options), keepsTime: !options.has("as-fast-as-possible"))
      case let word?: throw UsageError("There is no “tally-inputd \(word)”.")
      }
    } catch let error as UsageError {
      fail("tally-inputd: \(error) See tally-inputd --help.", code: UsageError.code)
    } catch let errors as ConfigurationErrors {
      fail("\(errors)", code: ConfigurationFile.wrongCode)
    } catch {
      fail("tally-inputd: \(error)", code: 1)
    }
  }

  private static func run(_ options: Options) throws {
    guard !options.has("json") else { throw UsageError("--json goes with devices.") }
    guard options.value(of: "accelerometer") == nil else { throw UsageError("--accelerometer goes with replay.") }
    guard !options.has("terminal") || isatty(STDIN_FILENO) == 1 else {
      throw UsageError("--terminal takes the keys of a terminal, and standard input is none.")
    }
    let producer = options.value(of: "producer") ?? "tally-inputd"
    guard CauseText.isSound(producer) else {
      throw UsageError("--producer can have 128 bytes at most, and no control characters.")
    }
    let settings = GestureDaemon.Settings(
      configurationFile: options.value(of: "config"),
      sockets: CoreSocket.candidates(option: options.value(of: "socket")), producer: producer,
      takesTerminal: options.has("terminal"))
    exit(try GestureDaemon(settings).run())
  }

  private static func check(_ file: String) {
    do {
      StandardOutput.line(ConfigurationSummary.text(try ConfigurationFile.read(file)))
    } catch {
      // The lines are the answer that was asked for.
      StandardOutput.line("\(error)")
      exit(1)
    }
  }

  private static func devices(_ options: Options) throws {
    let reports = try DeviceReport.all(try configuration(options))
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

  private static func fail(_ sentence: String, code: Int32) -> Never {
    ServiceProcess.log(.error, sentence)
    exit(code)
  }
}
