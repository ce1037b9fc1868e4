import Board
import BoardServer
import Glibc
import Linux
import Tallymark
import Varlink

/// `tally-board`: shows the counts in browsers.
@main
enum Main {
  private static let usage = """
    tally-board shows the counts in browsers: on this machine, on a wall, on a phone.

    USAGE: tally-board [--listen ADDRESS:PORT] [--socket PATH] [--control PATH] [--state DIR] [--name NAME,…]
                       [--exit-idle-time SECONDS]
           tally-board pair [--setup] | devices | revoke ID

      --listen ADDRESS:PORT   where to listen. Without it: the socket that systemd passes, else 127.0.0.1:8464, which
                              only this machine reaches
      --socket PATH           the core's socket. Without it: $TALLYMARK_SOCKET, else whichever of
                              $XDG_RUNTIME_DIR/tallymark/tallymark.sock and \(CoreSocket.system) answers first.
      --control PATH          the board's own socket, through which the commands below reach it. Without it: the one
                              that systemd passes, else $XDG_RUNTIME_DIR/tallymark/board.sock, and for root
                              \(BoardSocket.system); the commands try both
      --state DIR             the folder that keeps the paired devices. Without it: $STATE_DIRECTORY, else
                              $XDG_STATE_HOME/tallymark, else ~/.local/state/tallymark
      --name NAME,…           further names under which browsers may ask for the board, such as that of a proxy
      --exit-idle-time SECONDS
                              end after so long without a connection; systemd's socket starts the board again
      --version               print the version
      -h, --help              print this

      pair        let one device count as well: prints an address to open with it, once and within five minutes.
                  With --setup it may also make and change counters and groups.
      devices     list the devices that may count
      revoke ID   end the right of a device to count

    EXAMPLE: tally-board --listen 127.0.0.1:8464
    """

  static func main() {
    do {
      let options = try Options(
        CommandLine.arguments.dropFirst(), flags: ["help", "version", "setup"],
        valued: ["listen", "socket", "control", "state", "name", "exit-idle-time"])
      if options.has("help") { return StandardOutput.line(usage) }
      if options.has("version") { return StandardOutput.line("tally-board \(Product.version)") }
      if !options.words.isEmpty { return try command(options) }
      if options.has("setup") { throw UsageError("--setup only goes with pair.") }
      exit(try run(options))
    } catch let error as UsageError {
      fail("\(error) See tally-board --help.", code: UsageError.code)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func run(_ options: Options) throws -> Int32 {
    ServiceProcess.ignoreWriteSignals()
    umask(0o077)
    let names = options.value(of: "name")?.split(separator: ",").map(String.init) ?? []
    let site = Routes(hosts: HostNames(machine: machineName, others: names))
    let place = try place(options.value(of: "listen"))
    let idleTime = try idleTime(options.value(of: "exit-idle-time"))
    let loop = try EventLoop()
    try loop.keepWatchdog()
    // Installed before the server's thread starts, because that thread must not receive these signals.
    let signals = try [SIGTERM, SIGINT].map { signal in try loop.onSignal(signal) { [unowned loop] in loop.exit() } }
    let orders = try CoreOrders()
    let folder = CoreState.folder(option: options.value(of: "state"))
    let server = try HTTPServer(at: place, site: site, in: folder, core: orders)
    let link = try CoreLink(loop: loop, paths: CoreSocket.candidates(option: options.value(of: "socket"))) { news in
      switch news {
      case .state(let state): server.begin(state)
      case .change(let reply): server.take(reply)
      case .conditions(let conditions): server.take(conditions)
      case .away: server.lose()
      }
    }
    let orderSource = try orders.watch(on: loop, link: link)
    let (listener, path) = try control(options)
    let control = try ControlInterface(loop: loop, listener: listener, board: server, core: link)
    let idle = try Wakeup()
    let idleSource = try idle.watch(on: loop, priority: .normal) { [unowned loop] in loop.exit() }
    if let idleTime { server.whenIdle(seconds: idleTime) { idle.signal() } }
    ServiceProcess.log(.info, "The board is at http://\(server.address)/")
    ServiceProcess.notify("READY=1")
    let code = try withExtendedLifetime((link, signals, orderSource, control, idleSource)) { try loop.run() }
    server.close()
    if let path { unlink(path) }
    return code
  }

  /// The control socket of the board, with its path if this process has created it.
  private static func control(_ options: Options) throws -> (listener: FileDescriptor, path: String?) {
    if options.value(of: "control") == nil, let socket = try ServiceProcess.activatedSocket(named: "varlink") {
      return (socket, nil)
    }
    guard let path = BoardSocket.place(option: options.value(of: "control")) else {
      throw UsageError("There is no place for the board's socket: XDG_RUNTIME_DIR is not set; give --control PATH.")
    }
    try UnixSocket.makeFolder(of: path)
    // The socket is for this user and, if root runs the board, for the socket's group.
    return (try UnixSocket.listen(at: path, mode: ServiceProcess.user == 0 ? 0o660 : 0o600), path)
  }

  private static func idleTime(_ text: String?) throws(UsageError) -> Int64? {
    guard let text else { return nil }
    guard let seconds = Int64(text), 1...86_400 ~= seconds else {
      throw UsageError("--exit-idle-time takes 1 to 86400 seconds.")
    }
    return seconds
  }

  private static func place(_ option: String?) throws -> HTTPServer.Place {
    if option == nil, let socket = try ServiceProcess.activatedSocket(.tcp, named: "http") { return .activated(socket) }
    let text = option ?? "127.0.0.1:8464"
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw UsageError("--listen takes an address and a port, such as 127.0.0.1:8464.")
    }
    var address = text[..<colon]
    if address.hasPrefix("["), address.hasSuffix("]") { address = address.dropFirst().dropLast() }
    return .address(String(address), port: Int(port))
  }

  private static var machineName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func fail(_ sentence: String, code: Int32) -> Never {
    ServiceProcess.log(.error, "tally-board: \(sentence)")
    exit(code)
  }
}
