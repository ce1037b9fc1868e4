import Gestures
import Glibc
import Linux

/// A sensor of the IIO subsystem that measures by itself and keeps its samples in a buffer until they are read. The
/// sensor measures as long as this object lives.
///
/// The buffer should be read at the plan's pace. Waiting until it is readable costs more: the kernel wakes the reader
/// at every sample, and only then finds that the watermark is not reached.
public final class SensorBuffer {
  public let format: AccelerationFormat
  public let plan: BufferPlan

  private let folder: SensorFolder
  private let power: SensorSwitch
  private let descriptor: FileDescriptor
  private var clock: SampleClock
  private var bytes: [UInt8]
  /// The number of bytes of an incomplete scan at the front of `bytes`.
  private var rest = 0
  /// The start of the measurement. Older samples come from the previous use.
  private let begun: Int64

  /// The number of scans read at once. If the reader keeps up, fewer scans are waiting.
  private static let scansAtOnce = 64
  /// The maximum number of reads in a turn, so that other sources get a turn.
  private static let readsAtOnce = 4

  /// Opens a sensor and starts its measurement.
  ///
  /// - Parameters:
  ///   - folder: the sensor's folder in sysfs, in the same folder as the folders of the triggers.
  ///   - node: the sensor's file, such as `/dev/iio:device0`.
  public init(_ folder: SensorFolder, node: String) throws(SensorError) {
    self.folder = folder
    let number = unsafe open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      let error = SystemError.current("open \(node)")
      throw error.code == ENOENT ? .unbuffered : SensorError(error)
    }
    descriptor = FileDescriptor(owning: number)
    guard folder.has("buffer/enable"), folder.has("scan_elements/\(AccelerationFormat.axes[0])_en") else {
      throw .unbuffered
    }
    let preparation = SensorPreparation(folder: folder)
    try Self.takeOver(folder)
    preparation.setRange()
    let rate = try preparation.setRate()
    plan = BufferPlan(rate: rate)
    try preparation.setChannels()
    try preparation.setTrigger()
    clock = SampleClock(period: plan.period, isTrusted: preparation.setClock())
    try Self.setSize(folder, plan)
    format = try preparation.format()
    bytes = [UInt8](repeating: 0, count: format.scanSize * Self.scansAtOnce)
    begun = Clock.boottime()
    power = try SensorSwitch(folder)
  }

  /// Whether the sensor still measures, according to its driver; nil if the sensor is gone.
  public var isEnabled: Bool? { folder.read("buffer/enable").map { $0 != "0" } }

  /// The samples that are ready.
  ///
  /// - Throws: `gone` once the sensor is removed; samples that were ready before are lost with it.
  public func read() throws(SensorError) -> SensorReading {
    var reading = SensorReading()
    for _ in 0..<Self.readsAtOnce {
      guard let count = try fill() else { return reading }
      take(count, into: &reading.samples)
      if rest + count < bytes.count { return reading }
    }
    reading.isCutOff = true
    return reading
  }

  private func fill() throws(SensorError) -> Int? {
    let result = unsafe bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(SystemError) in
        try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[rest...]))
      }
    }
    switch result {
    case .success(let count): return count == 0 ? nil : count
    case .failure(let error): throw SensorError(error)
    }
  }

  private func take(_ count: Int, into samples: inout [AccelerationSample]) {
    let now = Clock.boottime()
    let end = rest + count
    let scans = end / format.scanSize
    for index in 0..<scans {
      guard let scan = format.scan(in: bytes, at: index * format.scanSize) else { break }
      let time = clock.time(stamp: scan.stamp, behind: scans - 1 - index, now: now)
      if time >= begun { samples.append(AccelerationSample(time: time, x: scan.x, y: scan.y, z: scan.z)) }
    }
    rest = end - scans * format.scanSize
    for index in 0..<rest { bytes[index] = bytes[scans * format.scanSize + index] }
  }

  // MARK: Setting up

  /// Disables a buffer that an earlier process left behind. An enabled buffer belongs to another program, unless the
  /// buffer has the length that only this program requests: then no process uses the buffer, because none has the node
  /// open.
  private static func takeOver(_ folder: SensorFolder) throws(SensorError) {
    guard let state = folder.read("buffer/enable"), state != "0" else { return }
    guard folder.read("buffer/length") == String(BufferPlan.length) else { throw .held }
    do throws(SystemError) { try folder.write("buffer/enable", "0") } catch { throw SensorError(error) }
  }

  private static func setSize(_ folder: SensorFolder, _ plan: BufferPlan) throws(SensorError) {
    do throws(SystemError) { try folder.set("buffer/length", String(BufferPlan.length)) } catch {
      throw SensorError(error)
    }
    // A failure is ignored: only sensors with a hardware buffer, and only newer kernels, have this attribute.
    try? folder.set("buffer/watermark", String(plan.watermark))
  }
}
