import Feedback
import InputDevices
import Platform
import Synchronization

/// A device that plays feedback, on a thread of its own: what it takes to answer holds up no count and no other device.
///
/// What goes wrong is said once. A device that is gone ends its thread; one that may not be used yet is tried again, more
/// and more seldom; after any other failure the next piece is.
final class Outlet: Sendable {
  /// How it gets on.
  enum State: Equatable { case working, denied, ended }

  private enum Order: Sendable {
    case play(Channel, Piece)
    case teach(Set<Int32>)
  }

  private let worker: Worker<Order>
  private let status: Status

  /// More than this waits only while the device does not answer, and feedback that late is worth nothing.
  private static let mostOrders = 8

  /// udev gives a permission a while after the device is there, and a busy machine takes its time: so long nothing is
  /// said of one that is missing, in nanoseconds.
  private static let grace: Int64 = 10_000_000_000

  /// And so long at most it waits until it tries again, in nanoseconds: nobody may ever give it.
  private static let longestWait: Int64 = 60_000_000_000

  /// - Parameters:
  ///   - name: what it is called in messages: "/dev/input/event5 (Gamepad)".
  ///   - pulses: the lengths of the pulses to come, in milliseconds.
  ///   - open: gets the instruments; runs on the thread.
  ///   - mend: what a person can do where it cannot be opened; a sentence that is asked for then.
  /// - Throws: where the system has no more threads.
  init(
    name: String, pulses: Set<Int32>, open: @escaping @Sendable () throws(DeviceError) -> [Channel: any Instrument],
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
        guard let instruments = try Self.patiently(open, orders, &pulses, status, complain) else { return }
        var player = Player(name: name, instruments: instruments)
        player.teach(pulses)
        player.play(orders)
        status.state = .ended
      } catch {
        status.state = .ended
        // Its removal is on the way.
        if case .gone = error { return }
        complain(error)
      }
    }
  }

  /// Opens a device as soon as it may be opened. What is ordered until then is too late afterwards.
  ///
  /// - Returns: nil where nothing will be ordered any more.
  private static func patiently(
    _ open: () throws(DeviceError) -> [Channel: any Instrument], _ orders: Letterbox<Order>,
    _ pulses: inout Set<Int32>, _ status: Status, _ complain: (DeviceError) -> Void
  ) throws(DeviceError) -> [Channel: any Instrument]? {
    let end = Clock.boottime() + grace
    var backoff = Backoff(longest: longestWait)
    var hasComplained = false
    while true {
      // Opening may take its time, and nobody else is to try it meanwhile.
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
        case .letter(.teach(let others)): pulses = others
        case .letter(.play): continue
        case .nothing: break waiting
        case .closed: return nil
        }
      }
    }
  }

  var state: State { status.state }

  /// Never waits.
  func play(_ piece: Piece, on channel: Channel) { worker.letters.put(.play(channel, piece)) }

  /// Never waits.
  func teach(_ pulses: Set<Int32>) { worker.letters.put(.teach(pulses)) }

  /// Falls silent and lets the device go; does not wait for that.
  func close() { worker.letters.close() }

  /// The same, waiting for it until ``Clock/boottime()`` reaches `deadline`.
  func end(by deadline: Int64) { worker.end(by: deadline) }

  /// What both threads know.
  private final class Status: Sendable {
    private let value = Mutex(State.working)

    var state: State {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }

  /// What the thread has.
  private struct Player {
    let name: String
    var instruments: [Channel: any Instrument]
    private var turns: [Channel: Turns] = [:]
    private var hasComplained = false

    init(name: String, instruments: [Channel: any Instrument]) {
      self.name = name
      self.instruments = instruments
    }

    /// Plays what is ordered until nothing more will be, or the device is gone.
    mutating func play(_ orders: Letterbox<Order>) {
      var isThere = true
      while isThere {
        switch orders.take(until: turns.values.compactMap(\.nextDeadline).min()) {
        case .letter(.play(let channel, let piece)): turns[channel, default: Turns()].add(piece)
        case .letter(.teach(let pulses)): isThere = teach(pulses)
        case .nothing: break
        case .closed: isThere = false
        }
        isThere = isThere && advance()
      }
      for channel in instruments.keys { instruments[channel]?.rest() }
    }

    @discardableResult
    mutating func teach(_ pulses: Set<Int32>) -> Bool {
      instruments.keys.allSatisfy { channel in
        attempt { player throws(DeviceError) in try player.instruments[channel]?.teach(pulses) }
      }
    }

    private mutating func advance() -> Bool {
      let now = Clock.boottime()
      for channel in Channel.allCases {
        for action in turns[channel]?.advance(to: now) ?? [] {
          let isThere = attempt { player throws(DeviceError) in
            try player.instruments[channel]?.perform(action)
          }
          if !isThere { return false }
        }
      }
      return true
    }

    /// Whether the device is still there after something was tried.
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
}
