import Bindings
import Gestures
import Glibc
import InputDaemon
import Linux

/// `replayed-clicker SOCKET FOLDER`: all of the gesture daemon but the kernel's devices. Its device is a pedal that is
/// pressed every millisecond and keeps, as a kernel's buffer does, the press that nobody has taken care of. SIGTERM ends
/// the pressing; what waits is delivered, and the number of presses ever made is printed.
@main
enum Main {
  static func main() throws {
    guard CommandLine.arguments.count == 3 else { exit(64) }
    ServiceProcess.ignoreWriteSignals()
    let clicker = try Clicker(socket: CommandLine.arguments[1], folder: CommandLine.arguments[2])
    try clicker.run()
  }
}

final class Clicker {
  private let loop: EventLoop
  private let connection: CoreConnection
  private let kept: KeptPress
  private var pedal: BoundDevice
  private var recent = DeliveryBuilder()
  private var pressing: TimerSource?
  private var ending: SignalSource?
  /// The number of the press that is made next.
  private var next: Int64

  private static let period: Int64 = 1_000_000
  private static let keyB: UInt16 = 48

  init(socket: String, folder: String) throws {
    let description = DeviceDescription(
      name: "RDing FootSwitch1F1.", bus: 3, vendor: 0x0c45, product: 0x7403, codes: [1: [Self.keyB]])
    guard case .used(let rule) = Configuration.standard.rule(for: description) else { exit(70) }
    pedal = BoundDevice(description, rule: rule)
    loop = try EventLoop()
    connection = try CoreConnection(
      loop: loop, paths: [socket], producer: "clicker", spool: try Spool(path: "\(folder)/spool")
    ) { reason in
      ServiceProcess.log(.error, reason)
      exit(1)
    }
    kept = try KeptPress(path: "\(folder)/pedal")
    next = max(1, kept.number)
    pressing = try loop.timer { [unowned self] in press() }
    ending = try loop.onSignal(SIGTERM) { [unowned self] in end() }
    pressing?.arm(at: 0)
  }

  func run() throws { _ = try loop.run() }

  private func press() {
    kept.number = next
    // Stamped as if a person pressed twenty times a second; the number is the time by which the count is known again.
    let time = next * 50_000_000
    for (value, time) in [(Int32(1), time), (0, time + 25_000_000)] {
      let frame = Frame(time: time, events: [InputEvent(type: 1, code: Self.keyB, value: value)])
      for gesture in pedal.handle(frame) { deliver(gesture) }
    }
    next += 1
    pressing?.arm(at: Clock.boottime() + Self.period)
  }

  private func deliver(_ gesture: BoundGesture) {
    let identity = recent.identity(of: gesture, on: "pedal")
    guard connection.time(ofSeen: identity) == nil else { return }
    let delivery = recent.delivery(for: gesture, boottime: 0, wall: 0, identity: identity)
    if let delivery { connection.deliver(delivery) }
  }

  private func end() {
    pressing = nil
    connection.onDrained = { [unowned self] in leave() }
    if connection.unacknowledged == 0 { leave() }
  }

  private func leave() {
    print(next - 1)
    loop.exit()
  }
}

/// The press that the pedal holds until the next one, as a number in a file.
final class KeptPress {
  private let file: FileDescriptor

  init(path: String) throws(SystemError) {
    let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .current("open \(path)") }
    file = FileDescriptor(owning: number)
  }

  var number: Int64 {
    get {
      var number: Int64 = 0
      unsafe pread(file.number, &number, MemoryLayout<Int64>.size, 0)
      return number
    }
    set {
      var number = newValue
      unsafe pwrite(file.number, &number, MemoryLayout<Int64>.size, 0)
    }
  }
}
