import Gestures
import Glibc
import InputDaemon
import InputDevices
import Linux

/// Receives the events of devices that gesture daemons have grabbed, from the sockets of their ``EventRelay``s.
///
/// Daemons may start and end meanwhile, so the folders are searched for sockets once a second.
final class RelayClient {
  private let loop: EventLoop
  private let say: (String) -> Void
  private var devices: [String: Device] = [:]
  private var timer: TimerSource?
  /// Whether a missing permission was reported.
  private var hasComplained = false
  private let folders = DaemonFolder().all

  /// A device that a command reads.
  private struct Device {
    let name: String
    let onFrame: (Frame) -> Void
    /// The connections by the path of the socket.
    var connections: [String: Connection] = [:]
  }

  private final class Connection {
    let descriptor: FileDescriptor
    var source: DescriptorSource?
    var decoder = RelayMessage.Decoder()
    /// Whether the daemon has grabbed the device; `nil` before its message.
    var isHeld: Bool?
    /// The number of strokes that the daemon had ignored when the connection was made.
    var ignored = IgnoredStrokes()

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }
  }

  private static let interval: Int64 = 1_000_000_000
  /// The time that a running daemon gets to reply, in nanoseconds.
  private static let patience: Int64 = 1_000_000_000

  /// - Parameter say: receives sentences for the person: which devices are grabbed, and which cannot be received.
  init(loop: EventLoop, say: @escaping (String) -> Void) throws(SystemError) {
    self.loop = loop
    self.say = say
    // A write fails without ending this program if the daemon ends.
    ServiceProcess.ignoreWriteSignals()
    timer = try loop.timer { [unowned self] in look() }
  }

  /// Passes the frames of a device to `onFrame` while a daemon has grabbed it.
  func listen(to node: DeviceNode, onFrame: @escaping (Frame) -> Void) {
    devices[node.syspath] = Device(name: node.label, onFrame: onFrame)
    if timer != nil { look() }
  }

  /// Ends the connections for a device.
  func forget(_ node: DeviceNode) { devices[node.syspath] = nil }

  /// Whether a daemon has grabbed the device and relays its events.
  func hears(_ node: DeviceNode) -> Bool {
    devices[node.syspath]?.connections.values.contains { $0.isHeld == true } ?? false
  }

  /// The strokes of the device that a daemon has ignored; the highest number of several daemons.
  func ignored(of node: DeviceNode) -> IgnoredStrokes {
    let all = devices[node.syspath]?.connections.values.map(\.ignored) ?? []
    return IgnoredStrokes(bounced: all.map(\.bounced).max() ?? 0, typed: all.map(\.typed).max() ?? 0)
  }

  /// Waits until each daemon has reported which devices it has grabbed; at most for ``patience``.
  func waitForReports() throws {
    let end = Clock.boottime() + Self.patience
    while Clock.boottime() < end,
      devices.values.contains(where: { $0.connections.values.contains { $0.isHeld == nil } })
    { _ = try loop.runOnce(waiting: 10_000) }
  }

  private func look() {
    timer?.arm(at: Clock.boottime() + Self.interval)
    for folder in folders {
      guard let sockets = EventRelay.sockets(in: folder) else {
        complain()
        continue
      }
      for socket in sockets {
        for (syspath, device) in devices where device.connections[socket] == nil { connect(to: socket, syspath) }
      }
    }
  }

  private func connect(to socket: String, _ syspath: String) {
    do throws(SystemError) {
      let connection = Connection(try UnixSocket.connect(to: socket, blocking: false))
      try connection.descriptor.writeAll(Array("\(syspath)\n".utf8))
      connection.source = try loop.watch(connection.descriptor, for: .readable, priority: .input) {
        [unowned self] _ in read(from: socket, syspath)
      }
      devices[syspath]?.connections[socket] = connection
    } catch {
      // A socket without a listener is left from a daemon that has crashed.
      if error.code == EACCES { complain() }
    }
  }

  private func complain() {
    guard !hasComplained else { return }
    hasComplained = true
    say(
      """
      Devices that the gesture daemon holds (grab = true) cannot be heard by this user: only root and members of the \
      group tallymark-input can.
      """)
  }

  private func read(from socket: String, _ syspath: String) {
    guard let device = devices[syspath], let connection = device.connections[socket],
      let bytes = UnixSocket.received(from: connection.descriptor, atMost: 65_536)
    else { return }
    guard !bytes.isEmpty, let messages = connection.decoder.decode(bytes) else {
      connection.source = nil
      devices[syspath]?.connections[socket] = nil
      if connection.isHeld == true { say("tally-inputd does not pass on the events of \(device.name) any more.") }
      return
    }
    for message in messages {
      switch message {
      case .ignored(let strokes): connection.ignored = strokes
      case .held(let isHeld):
        if isHeld {
          say("\(device.name) is grabbed by tally-inputd; its events come from tally-inputd.")
        } else if connection.isHeld == true {
          say("\(device.name) is not held by tally-inputd any more.")
        }
        connection.isHeld = isHeld
      case .frame(let frame): device.onFrame(frame)
      }
    }
  }
}
