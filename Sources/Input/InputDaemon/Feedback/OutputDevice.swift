import Bindings
import Feedback
import Gestures
import InputDevices
import Linux
import Synchronization
import Tallymark

/// A device that plays feedback on a separate thread, so that a slow device delays no count and no other device.
///
/// The first failure is logged. A removed device ends its thread; a device without permission is retried with backoff;
/// after any other failure the next pattern is tried.
final class OutputDevice: Sendable {
  enum State: Equatable { case working, denied, ended }

  private enum Order: Sendable {
    case play(Channel, Pattern)
    case uploadEffects(Set<Int32>)
  }

  private let worker: Worker<Order>
  private let status: Status

  /// The capacity of the mailbox. A longer queue means that the device blocks, and late feedback is useless.
  private static let mostOrders = 8

  /// The time in which a missing permission is not logged, in nanoseconds: udev sets permissions some time after the
  /// device appears.
  private static let grace: Int64 = 10_000_000_000

  /// The longest time between two attempts to open the device, in nanoseconds.
  private static let longestWait: Int64 = 60_000_000_000

  /// - Parameters:
  ///   - name: the name in messages: "/dev/input/event5 (Gamepad)".
  ///   - pulses: the lengths of later pulses, in milliseconds.
  ///   - open: opens the actuators; runs on the thread.
  ///   - mend: returns a sentence on how to get the permission; called if the device cannot be opened.
  /// - Throws: if the system has no more threads.
  init(
    name: String, pulses: Set<Int32>, open: @escaping @Sendable () throws(DeviceError) -> [Channel: any Actuator],
    mend: @escaping @Sendable () -> String
  ) throws(SystemError) {
    let status = Status()
    self.status = status
    let complain: @Sendable (DeviceError) -> Void = { error in
      ServiceProcess.log(.warning, "\(name) gives no feedback: \(error). \(mend())")
    }
    worker = try Worker(capacity: Self.mostOrders) { orders in
      do throws(DeviceError) {
        var pulses = pulses
        guard let actuators = try Self.patiently(open, orders, &pulses, status, complain) else { return }
        var player = Player(name: name, actuators: actuators)
        player.uploadEffects(pulses)
        player.play(orders)
        status.state = .ended
      } catch {
        status.state = .ended
        // The device was removed; the event of its removal follows.
        if case .gone = error { return }
        complain(error)
      }
    }
  }

  /// Opens a device as soon as the permission exists. Earlier orders are dropped.
  ///
  /// - Returns: nil if the mailbox was closed.
  private static func patiently(
    _ open: () throws(DeviceError) -> [Channel: any Actuator], _ orders: Mailbox<Order>,
    _ pulses: inout Set<Int32>, _ status: Status, _ complain: (DeviceError) -> Void
  ) throws(DeviceError) -> [Channel: any Actuator]? {
    let end = Clock.boottime() + grace
    var backoff = Backoff(longest: longestWait)
    var hasComplained = false
    while true {
      // Opening may block; meanwhile this state prevents a second attempt.
      status.state = .working
      do throws(DeviceError) {
        return try open()
      } catch {
        guard case .denied = error else { throw error }
        status.state = .denied
        if !hasComplained, Clock.boottime() >= end {
          complain(error)
          hasComplained = true
        }
      }
      let next = Clock.boottime() + backoff.next()
      waiting: while true {
        switch orders.take(until: next) {
        case .message(.uploadEffects(let others)): pulses = others
        case .message(.play): continue
        case .nothing: break waiting
        case .closed: return nil
        }
      }
    }
  }

  var state: State { status.state }

  /// Plays a pattern, without waiting.
  func play(_ pattern: Pattern, on channel: Channel) { worker.mailbox.put(.play(channel, pattern)) }

  /// Uploads effects, without waiting.
  func uploadEffects(_ pulses: Set<Int32>) { worker.mailbox.put(.uploadEffects(pulses)) }

  /// Stops playback and closes the device, without waiting.
  func close() { worker.mailbox.close() }

  /// Waits for the end of the thread until ``Clock/boottime()`` reaches `deadline`.
  func end(by deadline: Int64) { worker.end(by: deadline) }

  /// The state that both threads share.
  private final class Status: Sendable {
    private let value = Mutex(State.working)

    var state: State {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }

  /// The state of the thread.
  private struct Player {
    let name: String
    var actuators: [Channel: any Actuator]
    private var queue: [Channel: PlaybackQueue] = [:]
    private var hasComplained = false

    init(name: String, actuators: [Channel: any Actuator]) {
      self.name = name
      self.actuators = actuators
    }

    /// Plays orders until the mailbox is closed or the device is removed.
    mutating func play(_ orders: Mailbox<Order>) {
      var isThere = true
      while isThere {
        switch orders.take(until: queue.values.compactMap(\.nextDeadline).min()) {
        case .message(.play(let channel, let pattern)): queue[channel, default: PlaybackQueue()].add(pattern)
        case .message(.uploadEffects(let pulses)): isThere = uploadEffects(pulses)
        case .nothing: break
        case .closed: isThere = false
        }
        isThere = isThere && advance()
      }
      for channel in actuators.keys { actuators[channel]?.rest() }
    }

    @discardableResult
    mutating func uploadEffects(_ pulses: Set<Int32>) -> Bool {
      actuators.keys.allSatisfy { channel in
        attempt { player throws(DeviceError) in try player.actuators[channel]?.uploadEffects(pulses) }
      }
    }

    private mutating func advance() -> Bool {
      let now = Clock.boottime()
      for channel in Channel.allCases {
        for action in queue[channel]?.advance(to: now) ?? [] {
          let isThere = attempt { player throws(DeviceError) in
            try player.actuators[channel]?.perform(action)
          }
          if !isThere { return false }
        }
      }
      return true
    }

    /// Runs `body`; returns false if the device was removed.
    private mutating func attempt(_ body: (inout Player) throws(DeviceError) -> Void) -> Bool {
      do throws(DeviceError) {
        try body(&self)
      } catch {
        if case .gone = error { return false }
        if !hasComplained { ServiceProcess.log(.warning, "\(name) did not play feedback: \(error).") }
        hasComplained = true
      }
      return true
    }
  }

  /// An input device, for its wanted channels.
  convenience init(
    _ node: DeviceNode, _ channels: Set<Channel>, _ settings: FeedbackSettings, pulses: Set<Int32>
  ) throws(SystemError) {
    let path = node.path
    let light = node.light(settings)
    try self.init(name: node.title, pulses: pulses) {
      () throws(DeviceError) in
      let device = try FeedbackDevice(path: path)
      var actuators: [Channel: any Actuator] = [:]
      if channels.contains(.vibration) { actuators[.vibration] = Motor(device: device) }
      if channels.contains(.tone) { actuators[.tone] = Buzzer(device: device) }
      if channels.contains(.light), let light { actuators[.light] = DeviceLight(device: device, code: light) }
      return actuators
    } mend: {
      guard case .denied(let denial) = NodeAccess(of: path, for: .feedback) else { return "" }
      return "\(denial.reason) To mend it: \(denial.remedy)"
    }
  }

  convenience init(light name: String) throws(SystemError) {
    try self.init(name: "The light \(CauseLabel.device(name))", pulses: []) { () throws(DeviceError) in
      [.light: KernelLight(light: try SystemLight(name: name))]
    } mend: {
      "To mend it: \(DeviceRules.remedy()); and for a person: sudo usermod -aG tallymark-input \"$USER\""
    }
  }
}
