package import Gestures
import Glibc
package import Linux
import Text

/// Relays the events of grabbed devices, which the kernel delivers to no other program, to `tally-input learn`,
/// `monitor`, `tune` and `record`.
///
/// A client connects to the socket and sends the sysfs path of a device, ended by a line feed. It receives the number
/// of the device's ignored strokes, for `tally-input devices`, whether the device is grabbed, a ``RelayMessage`` when
/// the grab begins or ends, and each frame in between. A client can change nothing.
///
/// The socket is open for root, the daemon's user and the daemon's group. A member of the group receives only devices
/// whose node the group may read. Each connection's queue is the kernel's socket buffer: a client that does not read is
/// disconnected. Clients have a lower priority than devices and the core.
package final class EventRelay {
  private let loop: EventLoop
  private let path: String
  private let socket: FileDescriptor
  private var source: DescriptorSource?
  private var retry: TimerSource?
  /// The devices in use, and the devices that clients have named, by sysfs path.
  private var devices: [String: RelayedDevice] = [:]
  private var clients: [Int: Client] = [:]
  private var lastNumber = 0

  /// A connected program.
  private final class Client {
    let descriptor: FileDescriptor
    let peer: UnixSocket.Peer
    var source: DescriptorSource?
    var request: [UInt8] = []
    var device: RelayedDevice?

    init(_ descriptor: FileDescriptor, _ peer: UnixSocket.Peer) {
      self.descriptor = descriptor
      self.peer = peer
    }

    /// Whether the client may receive devices that the daemon's group may not read.
    var isTrusted: Bool { peer.user == 0 || peer.user == geteuid() }
  }

  /// The maximum number of clients. A command opens a connection for each device of a machine.
  private static let mostClients = 256
  private static let mostClientsOfUser = 128
  /// The maximum number of connections that are accepted in one turn of the loop.
  package static let mostAcceptedAtOnce = 8
  /// The maximum length of a sysfs path.
  private static let longestRequest = 4096

  /// Listens at `path`.
  ///
  /// - Throws: `EADDRINUSE` if another daemon listens there.
  package init(loop: EventLoop, path: String) throws(SystemError) {
    self.loop = loop
    self.path = path
    socket = try UnixSocket.listen(at: path, mode: 0o660)
    retry = try loop.timer { [unowned self] in source?.wait(for: .readable) }
    source = try loop.watch(socket, for: .readable, priority: .afterwards) { [unowned self] _ in accept() }
  }

  /// Disconnects all clients and removes the socket file.
  package func close() {
    (source, retry, clients) = (nil, nil, [:])
    for device in devices.values { device.listeners = [] }
    unlink(path)
  }

  package var clientCount: Int { clients.count }

  // MARK: Sockets

  private static let suffix = ".events"

  /// The path of a daemon's socket. Each daemon has a separate socket and spool.
  package static func path(besideSpool spool: String) -> String { "\(spool)\(suffix)" }

  /// The sockets in a folder; `nil` if the folder cannot be read.
  package static func sockets(in folder: String) -> [String]? {
    guard access(folder, R_OK) == 0 || errno != EACCES else { return nil }
    return FolderContent.names(in: folder).filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
  }

  // MARK: Clients

  private func accept() {
    do throws(SystemError) {
      // Further connections wait in the kernel's queue, so that devices and the core are served first.
      for _ in 0..<Self.mostAcceptedAtOnce {
        guard let descriptor = try UnixSocket.accept(from: socket) else { return }
        take(descriptor)
      }
    } catch {
      // Without a free descriptor new connections wait in the kernel's queue, and the loop must not spin.
      source?.wait(for: [])
      retry?.arm(at: Clock.boottime() + 1_000_000_000)
    }
  }

  private func take(_ descriptor: FileDescriptor) {
    guard let peer = try? UnixSocket.peer(of: descriptor), clients.count < Self.mostClients,
      clients.values.count(where: { $0.peer.user == peer.user }) < Self.mostClientsOfUser
    else { return }
    lastNumber += 1
    let (client, number) = (Client(descriptor, peer), lastNumber)
    client.source = try? loop.watch(descriptor, for: .readable, priority: .afterwards) { [unowned self] _ in
      read(number)
    }
    guard client.source != nil else { return }
    clients[number] = client
  }

  private func read(_ number: Int) {
    guard let client = clients[number] else { return }
    guard let bytes = UnixSocket.received(from: client.descriptor, atMost: Self.longestRequest) else { return }
    // A connection may send one request.
    guard !bytes.isEmpty, client.device == nil, client.request.count + bytes.count <= Self.longestRequest else {
      return drop(number)
    }
    client.request += bytes
    guard client.request.last == UInt8(ascii: "\n") else { return }
    let syspath = String(decoding: client.request.dropLast(), as: UTF8.self)
    // The log quotes the path, and a line feed would start a line that the client controls.
    guard syspath.printableLine == syspath else { return drop(number) }
    client.request = []
    let device = device(syspath)
    client.device = device
    device.listeners.append(.init(number: number, isTrusted: client.isTrusted))
    if device.mayBeHeard(isTrusted: client.isTrusted), case let ignored = device.ignored(), !ignored.isEmpty {
      send(.ignored(ignored), to: number)
    }
    send(.held(device.heldSince != nil && device.mayBeHeard(isTrusted: client.isTrusted)), to: number)
  }

  private func drop(_ number: Int) {
    guard let client = clients.removeValue(forKey: number), let device = client.device else { return }
    device.listeners.removeAll { $0.number == number }
    forget(device)
  }

  private func send(_ message: RelayMessage, to number: Int) {
    guard let client = clients[number] else { return }
    let bytes = message.bytes
    // A failed write means that the client has ended.
    guard let written = bytes.withUnsafeBytes({ bytes in try? client.descriptor.write(bytes) ?? 0 }) else {
      return drop(number)
    }
    guard written != bytes.count else { return }
    if let device = client.device {
      ServiceProcess.log(
        .notice,
        "Process \(client.peer.process) did not read the events of \(device.syspath) in time; it gets no more.")
    }
    drop(number)
  }

  // MARK: Devices

  /// The device with this sysfs path, for the session that uses it.
  package func device(_ syspath: String) -> RelayedDevice {
    if let device = devices[syspath] { return device }
    let device = RelayedDevice(syspath) { [unowned self] message, numbers in
      for number in numbers { send(message, to: number) }
    }
    devices[syspath] = device
    return device
  }

  /// Ends the use of a device that has no grab and no session any more.
  func end(_ syspath: String) {
    guard let device = devices[syspath] else { return }
    device.released()
    device.isReadableByGroup = false
    device.isUsed = false
    device.ignored = { IgnoredStrokes() }
    forget(device)
  }

  private func forget(_ device: RelayedDevice) {
    if device.listeners.isEmpty, !device.isUsed { devices[device.syspath] = nil }
  }
}

/// A device of an ``EventRelay``.
package final class RelayedDevice {
  /// A client that has named the device.
  struct Listener {
    let number: Int
    /// Whether the client may receive the device even if the daemon's group may not read the node.
    let isTrusted: Bool
  }

  let syspath: String
  fileprivate(set) var listeners: [Listener] = []
  fileprivate var isUsed = false
  fileprivate var isReadableByGroup = false
  /// ``Clock/boottime()`` after the grab; `nil` while other programs receive the events themselves.
  fileprivate var heldSince: Int64?
  /// Returns the number of strokes that were ignored since the device was opened.
  package var ignored: () -> IgnoredStrokes = { IgnoredStrokes() }
  private let send: (RelayMessage, [Int]) -> Void

  fileprivate init(_ syspath: String, send: @escaping (RelayMessage, [Int]) -> Void) {
    self.syspath = syspath
    self.send = send
  }

  /// Records the descriptor through which a session uses the device.
  package func used(through descriptor: FileDescriptor) {
    isUsed = true
    var status = stat()
    isReadableByGroup =
      fstat(descriptor.number, &status) == 0 && status.st_gid == getegid() && status.st_mode & S_IRGRP != 0
  }

  /// Records a grab of the device.
  ///
  /// - Parameter time: the time after the grab; events until then reached other programs as well.
  package func held(since time: Int64) { hold(time) }

  package func released() { hold(nil) }

  private func hold(_ time: Int64?) {
    let wasHeld = heldSince != nil
    heldSince = time
    if wasHeld != (time != nil) { tell(.held(time != nil)) }
  }

  /// Relays a frame of the device, if no other program receives it.
  package func pass(_ frame: Frame) {
    guard !listeners.isEmpty, let heldSince, frame.time > heldSince else { return }
    tell(.frame(frame))
  }

  fileprivate func mayBeHeard(isTrusted: Bool) -> Bool { isTrusted || isReadableByGroup }

  private func tell(_ message: RelayMessage) {
    let numbers = listeners.filter { mayBeHeard(isTrusted: $0.isTrusted) }.map(\.number)
    if !numbers.isEmpty { send(message, numbers) }
  }
}
