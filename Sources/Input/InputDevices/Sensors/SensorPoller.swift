public import Gestures
import Glibc
public import Linux
import Synchronization

/// A sensor whose values are polled by a separate thread, because some drivers reply after seconds.
///
/// The thread ends when this object is deallocated, but not before a reply for which it waits.
public final class SensorPoller {
  /// The polling rate in hertz: enough for a hand's 7 Hz.
  public static let rate = 50.0

  private let worker: Worker<Never>
  private let source: DescriptorSource

  /// Starts polling.
  ///
  /// - Parameters:
  ///   - onReading: receives samples, oldest first, at most 25 times a second.
  ///   - onEnd: called once when the sensor cannot be polled any more.
  public init(
    loop: EventLoop, _ folder: SensorFolder, onReading: @escaping ([AccelerationSample]) -> Void,
    onEnd: @escaping (SensorError) -> Void
  ) throws(SensorError) {
    let preparation = SensorPreparation(folder: folder)
    // A failure is ignored: some drivers have no rate, and some users may not set it. Then the sensor stays slow.
    _ = try? preparation.setRate()
    let values = try SensorValues(folder)
    do throws(SystemError) {
      source = try loop.watch(values.readiness, for: .readable, priority: .input) { _ in
        let (samples, failure) = values.take()
        if !samples.isEmpty { onReading(samples) }
        if let failure { onEnd(failure) }
      }
      worker = try Worker(capacity: 1) { values.ask(until: $0) }
    } catch {
      throw .failed(error)
    }
  }
}

/// The thread's work. A lock guards the state that both threads use; the rest belongs to the polling thread.
private final class SensorValues: Sendable {
  private struct Shared {
    var samples: [AccelerationSample] = []
    var failure: SensorError?
  }

  /// The capacity of the queue, enough for a loop that is busy for a second. Beyond it the oldest samples are dropped.
  private static let capacity = 64
  /// The number of samples that are handed over together.
  private static let batch = 2
  /// The longest duration of a read, in nanoseconds. A slower read has no known time.
  private static let slowest: Int64 = 100_000_000
  /// The number of consecutive errors after which the sensor is given up.
  private static let patience = 25

  private let shared = Mutex(Shared())
  private let files: [FileDescriptor]
  private let scales: [AxisScale]
  /// The ends of a pipe for the loop and the thread: a byte means that values are ready.
  private let notice: (reading: FileDescriptor, writing: FileDescriptor)

  init(_ folder: SensorFolder) throws(SensorError) {
    scales = try folder.scales()
    var files: [FileDescriptor] = []
    for axis in AccelerationFormat.axes {
      let path = "\(folder.path)/\(axis)_raw"
      let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard number >= 0 else {
        let error = SystemError.current("open \(path)")
        throw error.code == ENOENT ? .gone : SensorError(error)
      }
      files.append(FileDescriptor(owning: number))
    }
    self.files = files
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .failed(.current("make a pipe")) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    notice = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
  }

  var readiness: FileDescriptor { notice.reading }

  /// Removes and returns the samples since the last call.
  func take() -> (samples: [AccelerationSample], failure: SensorError?) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      _ = try? unsafe notice.reading.read(into: buffer)
    }
    return shared.withLock { state in
      defer { (state.samples, state.failure) = ([], nil) }
      return (state.samples, state.failure)
    }
  }

  /// Polls until the mailbox is closed; no messages are sent to the mailbox.
  func ask(until mailbox: Mailbox<Never>) {
    let period = Int64(1e9 / SensorPoller.rate)
    var next = Clock.boottime()
    var refusals = 0
    while case .nothing = mailbox.take(until: next) {
      do throws(SensorError) {
        if let sample = try ask() { give(sample) }
        refusals = 0
      } catch {
        refusals += 1
        if error == .gone || refusals >= Self.patience { return fail(error) }
      }
      // Missed samples are skipped.
      next = max(next + period, Clock.boottime())
    }
  }

  /// Reads the three axes, one after the other. The sample has the time in the middle of the reads; nil if the reads
  /// took too long.
  private func ask() throws(SensorError) -> AccelerationSample? {
    let before = Clock.boottime()
    var values: [Double] = []
    for (file, scale) in zip(files, scales) { values.append(scale.acceleration(try number(in: file))) }
    let duration = Clock.boottime() - before
    guard duration <= Self.slowest else { return nil }
    return AccelerationSample(time: before + duration / 2, x: values[0], y: values[1], z: values[2])
  }

  private func number(in file: FileDescriptor) throws(SensorError) -> Double {
    let text: String
    do throws(SystemError) {
      text = try unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer throws(SystemError) in
        let count = unsafe pread(file.number, buffer.baseAddress, buffer.count, 0)
        guard count >= 0 else { throw .current("read the sensor") }
        return unsafe String(decoding: buffer[..<count], as: UTF8.self)
      }
    } catch {
      throw SensorError(error)
    }
    guard let number = Double(text.prefix { !$0.isWhitespace }), number.isFinite else {
      throw .senseless("\"\(text.prefix(20))\" is no reading")
    }
    return number
  }

  private func give(_ sample: AccelerationSample) {
    let isDue = shared.withLock { state in
      if state.samples.count == Self.capacity { state.samples.removeFirst() }
      state.samples.append(sample)
      return state.samples.count >= Self.batch
    }
    if isDue { tell() }
  }

  private func fail(_ error: SensorError) {
    shared.withLock { $0.failure = error }
    tell()
  }

  private func tell() { unsafe withUnsafeBytes(of: UInt8(0)) { byte in _ = try? unsafe notice.writing.write(byte) } }
}
