import Gestures
import Glibc
import Linux

/// A sensor of the IIO subsystem that measures by itself and keeps its samples in a buffer until they are read. It
/// measures for as long as this object lives.
///
/// It is to be read at the plan's pace. To wait until it is readable costs more: the kernel wakes whoever waits at every
/// sample, and only then finds that the watermark is not reached.
public final class SensorBuffer {
  public let format: AccelerationFormat
  public let plan: BufferPlan

  private let folder: SensorFolder
  private let power: SensorSwitch
  private let descriptor: FileDescriptor
  private var clock: SampleClock
  private var bytes: [UInt8]
  /// How many bytes of a scan that is not complete yet lie at the front of `bytes`.
  private var rest = 0
  /// Older samples are those of the last time that the sensor was on.
  private let begun: Int64

  /// The bytes read at once: more than wait if the reader keeps up.
  private static let scansAtOnce = 64
  /// After so much the reader lets others have their turn.
  private static let readsAtOnce = 4

  /// Opens a sensor and has it measure.
  ///
  /// - Parameters:
  ///   - folder: its folder in sysfs, among those of the triggers.
  ///   - node: its file, such as `/dev/iio:device0`.
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

  /// Whether the sensor still measures, as far as its driver says; nil where it is gone.
  public var isEnabled: Bool? { folder.read("buffer/enable").map { $0 != "0" } }

  /// The samples that are there.
  ///
  /// - Throws: `gone` once the sensor is; samples that were there before it are lost with it.
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

  /// A buffer that is on is somebody else's, unless it has the length that only this program asks for: then it was left
  /// behind, for nobody has the node open.
  private static func takeOver(_ folder: SensorFolder) throws(SensorError) {
    guard let state = folder.read("buffer/enable"), state != "0" else { return }
    guard folder.read("buffer/length") == String(BufferPlan.length) else { throw .held }
    do throws(SystemError) { try folder.write("buffer/enable", "0") } catch { throw SensorError(error) }
  }

  private static func setSize(_ folder: SensorFolder, _ plan: BufferPlan) throws(SensorError) {
    do throws(SystemError) { try folder.set("buffer/length", String(BufferPlan.length)) } catch {
      throw SensorError(error)
    }
    // For sensors that gather samples themselves; older kernels have none.
    try? folder.set("buffer/watermark", String(plan.watermark))
  }
}
