import Glibc
import InputDaemon
import Linux
import Tallymark

/// `tally-inputd`: the gesture daemon.
@main
enum Main {
  private static let usage = """
    tally-inputd reads clickers, pedals and touchscreens, recognises what people do with them, and tells the core.

    USAGE: tally-inputd [--config FILE] [--socket PATH] [--producer NAME] [--terminal]

      --config FILE     what is used and what gestures do. Without it: $XDG_CONFIG_HOME/tallymark/input.toml, else
                        ~/.config/tallymark/input.toml, else /etc/tallymark/input.toml, else defaults.
      --socket PATH     the core's socket. Without it: $TALLYMARK_SOCKET, else whichever of
                        $XDG_RUNTIME_DIR/tallymark/tallymark.sock and \(CoreSocket.system) answers first.
      --producer NAME   the name to deliver under, by which the core tells the daemons of a user apart (tally-inputd)
      --terminal        count with the terminal's own keys as well: space or Enter adds, - or the down arrow takes off,
                        u undoes, q quits
      --version         print the version
      -h, --help        print this

    Commands that set up and try devices (learn, use, devices, monitor, check, tune, feedback, record, replay) are those of
    tally-input; tally-inputd passes them on.

    EXAMPLE: tally-input check ~/.config/tallymark/input.toml && tally-inputd
    """

  static func main() {
    CommandRunner.run(as: "tally-inputd") {
      let options = try Options(
        CommandLine.arguments.dropFirst(), flags: ["help", "version", "terminal", "json", "as-fast-as-possible"],
        valued: ["config", "socket", "producer", "device", "accelerometer"])
      if !options.words.isEmpty { try passOn() }
      if options.has("help") { return StandardOutput.line(usage) }
      if options.has("version") { return StandardOutput.line("tally-inputd \(Product.version)") }
      try run(options)
    }
  }

  private static func run(_ options: Options) throws {
    guard !options.has("json") else { throw UsageError("--json goes with devices.") }
    for name in ["device", "accelerometer"] where options.value(of: name) != nil {
      throw UsageError("--\(name) goes with replay.")
    }
    guard !options.has("terminal") || isatty(STDIN_FILENO) == 1 else {
      throw UsageError("--terminal takes the keys of a terminal, and standard input is none.")
    }
    let producer = options.value(of: "producer") ?? "tally-inputd"
    guard CauseLabel.isSound(producer) else {
      throw UsageError("--producer can have 128 bytes at most, and no control characters.")
    }
    let settings = GestureDaemon.Settings(
      configurationFile: options.value(of: "config"),
      sockets: CoreSocket.candidates(option: options.value(of: "socket")), producer: producer,
      takesTerminal: options.has("terminal"))
    exit(try GestureDaemon(settings).run())
  }

  /// Replaces this process by `tally-input`, the program in the same folder.
  private static func passOn() throws -> Never {
    throw ServiceProcess.replace(with: Installation.sibling("tally-input"), Array(CommandLine.arguments.dropFirst()))
  }
}
