import CoreService
import Glibc
import Linux
import Tallymark
import Toml

/// `tallyd`: the counter core.
@main
enum Main {
  private static let usage = """
    tallyd keeps the counts: it owns them in one file and answers every program over a socket.

    USAGE: tallyd [--socket PATH] [--state DIR] [--config FILE]

      --socket PATH   where to listen. Without it: the socket that systemd passes, else $TALLYMARK_SOCKET, else
                      $XDG_RUNTIME_DIR/tallymark/tallymark.sock, and for root \(CoreSocket.system).
      --state DIR     the folder that holds the counts. Without it: $STATE_DIRECTORY, else
                      $XDG_STATE_HOME/tallymark, else ~/.local/state/tallymark.
      --config FILE   who may do what. Without it: \(CoreConfiguration.standardPath), else defaults. Read again on SIGHUP.
      --version       print the version
      -h, --help      print this

    EXAMPLE: tallyd --socket /tmp/tally.sock --state /tmp/tally
    """

  static func main() {
    do {
      let options = try Options(
        CommandLine.arguments.dropFirst(), flags: ["help", "version"], valued: ["socket", "state", "config"])
      if options.has("help") { return print(usage) }
      if options.has("version") { return print("tallyd \(Product.version)") }
      guard options.words.isEmpty else { throw UsageError("tallyd takes no “\(options.words[0])”.") }
      let configuration = options.value(of: "config")
      let daemon = try CoreDaemon(
        state: try state(options), socket: try socket(options), configuration: configuration)
      let code = try daemon.run()
      if code != 0 { exit(code) }
    } catch let error as UsageError {
      fail("\(error) See tallyd --help.", code: UsageError.code)
    } catch let errors as ConfigurationErrors {
      fail("\(errors)", code: 78)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func socket(_ options: Options) throws -> CoreDaemon.Socket {
    if let activated = try ServiceProcess.activatedSocket(named: "varlink") { return .activated(activated) }
    guard let path = CoreSocket.place(option: options.value(of: "socket")) else {
      throw UsageError(
        "There is no place for the socket: XDG_RUNTIME_DIR is not set; give --socket PATH or set TALLYMARK_SOCKET.")
    }
    return .path(path)
  }

  private static func state(_ options: Options) throws -> String {
    guard let folder = CoreState.folder(option: options.value(of: "state")) else {
      throw UsageError("There is no place for the counts: HOME is not set; give --state DIR.")
    }
    return folder
  }

  private static func fail(_ sentence: String, code: Int32) -> Never {
    ServiceProcess.log(.error, "tallyd: \(sentence)")
    exit(code)
  }
}
