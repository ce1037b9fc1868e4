import Bridge
import BridgeService
import Glibc
import Linux
import MQTT
import Tallymark

/// `tally-mqttd`: connects a station to a broker.
@main
enum Main {
  private static let usage = """
    tally-mqttd counts together with other stations, through an MQTT broker. tally fleet join says which one.

    USAGE: tally-mqttd [--socket PATH] [--password-file FILE] [--cert FILE --key FILE]
                       [--discovery device|components|off]

      --socket PATH           the core's socket. Without it: $TALLYMARK_SOCKET, else whichever of
                              $XDG_RUNTIME_DIR/tallymark/tallymark.sock and \(CoreSocket.system) answers first.
      --password-file FILE    the password for the broker, in its first line; the user is that of the broker's URL, else
                              the name of the station
      --cert FILE, --key FILE this station's certificate and its key (PEM)
      --discovery FORM        what Home Assistant is told: device (default), a document for each counter; components, one
                              for each entity, for other programs and before 2024.12; off
      --version               print the version
      -h, --help              print this

    EXAMPLE: tally fleet join mqtt://localhost --fleet venue --station door1; tally-mqttd
    """

  static func main() {
    do {
      let options = try Tallymark.Options(
        CommandLine.arguments.dropFirst(), flags: ["help", "version"],
        valued: ["socket", "password-file", "cert", "key", "discovery"])
      if options.has("help") { return StandardOutput.line(usage) }
      if options.has("version") { return StandardOutput.line("tally-mqttd \(Product.version)") }
      if let word = options.words.first { throw UsageError("tally-mqttd takes no “\(word)”.") }
      exit(try run(options))
    } catch let error as UsageError {
      fail("\(error) See tally-mqttd --help.", code: UsageError.code)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func run(_ options: Tallymark.Options) throws -> Int32 {
    ServiceProcess.ignoreWriteSignals()
    umask(0o077)
    try ServiceProcess.limitMemory(to: MQTTClient.memory)
    let loop = try EventLoop()
    try loop.keepWatchdog()
    let signals = try [SIGTERM, SIGINT].map { signal in try loop.onSignal(signal) { [unowned loop] in loop.exit() } }
    let bridge = try MQTTBridge(
      loop: loop, paths: CoreSocket.candidates(option: options.value(of: "socket")), try settings(options))
    ServiceProcess.notify("READY=1")
    let code = try withExtendedLifetime(signals) { try loop.run() }
    bridge.stop()
    return code
  }

  private static func settings(_ options: Tallymark.Options) throws -> MQTTBridge.Options {
    var settings = MQTTBridge.Options()
    settings.passwordFile = options.value(of: "password-file")
    settings.encryption.certificate = options.value(of: "cert")
    settings.encryption.key = options.value(of: "key")
    guard (settings.encryption.certificate == nil) == (settings.encryption.key == nil) else {
      throw UsageError("--cert and --key go together.")
    }
    for name in ["password-file", "cert", "key"] {
      guard let path = options.value(of: name) else { continue }
      do throws(SystemError) {
        _ = try FileContent.read(path, upTo: 1)
      } catch {
        throw UsageError("--\(name): \(error).")
      }
    }
    if let form = options.value(of: "discovery") {
      guard let discovery = Discovery(rawValue: form) else {
        throw UsageError("--discovery takes device, components or off.")
      }
      settings.discovery = discovery
    }
    return settings
  }

  private static func fail(_ sentence: String, code: Int32) -> Never {
    ServiceProcess.log(.error, "tally-mqttd: \(sentence)")
    exit(code)
  }
}
