public import Gestures
public import Linux

/// A motion sensor of the IIO subsystem, which measures as long as this object lives: through its buffer if possible,
/// else by polling.
public final class MotionSensor {
  /// The way of reading.
  public enum Mode: Equatable, Sendable {
    case buffered
    /// Polled, because the buffer is unavailable for this reason.
    case polled(SensorError)
  }

  public let mode: Mode

  private let folder: SensorFolder
  private let silence: Int64
  private let onSamples: ([AccelerationSample]) -> Void
  private let onEnd: (SensorError) -> Void
  private var buffer: SensorBuffer?
  private var poller: SensorPoller?
  /// With a buffer: the time of the next read. With polling: the time at which a missing value is a fault.
  private var timer: TimerSource?
  private var retry: TimerSource?
  private var retryWait = MotionSensor.firstRetry
  /// The time of the last sample, by ``Clock/monotonic()``, which excludes the time in which the machine sleeps.
  private var last = Clock.monotonic()

  /// The time after which a missing value is a fault, in nanoseconds.
  private static let pollSilence: Int64 = 10_000_000_000
  /// The time until the first retry of the buffer, because permissions come a moment late. The time doubles after each
  /// retry, up to the longest.
  private static let firstRetry: Int64 = 500_000_000
  private static let longestRetry: Int64 = 30_000_000_000

  /// - Parameters:
  ///   - folder: the sensor's folder in sysfs, in the same folder as the folders of the triggers.
  ///   - node: the sensor's file.
  ///   - patience: the factor by which the sensor may be silent longer than usual.
  ///   - onSamples: receives the samples, oldest first.
  ///   - onEnd: called once, when no more samples will come. The owner may then create another object.
  public init(
    loop: EventLoop, folder: SensorFolder, node: String, patience: Int64 = 1,
    onSamples: @escaping ([AccelerationSample]) -> Void, onEnd: @escaping (SensorError) -> Void
  ) throws(SensorError) {
    self.folder = folder
    self.onSamples = onSamples
    self.onEnd = onEnd
    switch Result(catching: { () throws(SensorError) in try SensorBuffer(folder, node: node) }) {
    case .success(let buffer):
      (mode, silence) = (.buffered, buffer.plan.silence &* patience)
      self.buffer = buffer
      try failing { () throws(SystemError) in try watch(buffer, loop) }
    case .failure(let obstacle) where obstacle.leavesValues:
      (mode, silence) = (.polled(obstacle), Self.pollSilence &* patience)
      try poll(loop, instead: obstacle)
    case .failure(let error): throw error
    }
  }

  private func poll(_ loop: EventLoop, instead obstacle: SensorError) throws(SensorError) {
    poller = try SensorPoller(
      loop: loop, folder, onReading: { [unowned self] in answered($0) }, onEnd: { [unowned self] in end($0) })
    try failing { () throws(SystemError) in
      timer = try loop.timer { [unowned self] in missed() }
      if obstacle != .unbuffered { retry = try loop.timer { [unowned self] in lookForRelease(from: obstacle) } }
    }
    timer?.arm(at: Clock.boottime() + silence)
    retry?.arm(at: Clock.boottime() + retryWait)
  }

  private func watch(_ buffer: SensorBuffer, _ loop: EventLoop) throws(SystemError) {
    timer = try loop.timer(priority: .input) { [unowned self] in read() }
    timer?.arm(at: Clock.boottime() + buffer.plan.pace)
  }

  private func read() {
    guard let buffer else { return }
    do throws(SensorError) {
      let reading = try buffer.read()
      let now = Clock.boottime()
      // Armed before the call, because the receiver of the samples may release this object.
      timer?.arm(at: reading.isCutOff ? now : now + buffer.plan.pace)
      if !reading.samples.isEmpty {
        last = Clock.monotonic()
        onSamples(reading.samples)
      } else if Clock.monotonic() - last >= silence {
        lookIntoSilence(of: buffer)
      }
    } catch {
      end(error)
    }
  }

  /// Ends with the reason for the silence. A removed, a switched-off and a broken sensor all send no samples.
  private func lookIntoSilence(of buffer: SensorBuffer) {
    switch buffer.isEnabled {
    case nil: end(.gone)
    case false?: end(.switchedOff)
    case true?: end(.silent)
    }
  }

  private func missed() {
    let rest = silence - (Clock.monotonic() - last)
    guard rest > 0 else { return end(.silent) }
    timer?.arm(at: Clock.boottime() + rest)
  }

  private func answered(_ samples: [AccelerationSample]) {
    last = Clock.monotonic()
    timer?.arm(at: Clock.boottime() + silence)
    onSamples(samples)
  }

  private func lookForRelease(from obstacle: SensorError) {
    let isFree = obstacle == .held ? folder.read("buffer/enable") == "0" : folder.mayWrite("buffer/enable")
    if isFree { return end(.released) }
    retryWait = min(retryWait * 2, Self.longestRetry)
    retry?.arm(at: Clock.boottime() + retryWait)
  }

  private func end(_ error: SensorError) {
    (timer, retry, buffer, poller) = (nil, nil, nil, nil)
    onEnd(error)
  }
}

/// Converts an error of the loop to one of the sensor.
private func failing(_ work: () throws(SystemError) -> Void) throws(SensorError) {
  do throws(SystemError) { try work() } catch { throw .failed(error) }
}

/// The samples of one read of a motion sensor.
public struct SensorReading: Equatable, Sendable {
  /// The samples, oldest first.
  public var samples: [AccelerationSample] = []
  /// Whether more samples wait.
  public var isCutOff = false
}
