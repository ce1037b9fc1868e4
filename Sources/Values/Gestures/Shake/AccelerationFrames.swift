/// Turns the frames of an accelerometer that is an event node into samples.
public struct AccelerationFrames: Sendable {
  /// The time without a report after which the last values are assumed to be unchanged, in nanoseconds: an event node
  /// reports only changes.
  private static let silence: Int64 = 60_000_000
  /// The longest time that is filled with repeated samples, in nanoseconds.
  private static let held: Int64 = 3_000_000_000
  /// The interval of the repeated samples, in nanoseconds.
  private static let heldStep: Int64 = 50_000_000
  /// The time from the last repeated sample to the next change, in nanoseconds.
  private static let lead: Int64 = 10_000_000

  private struct Axis {
    let code: UInt16
    /// The acceleration per unit, in m/s².
    let scale: Double
    var value: Double = 0
  }

  private var axes: [Axis]
  private var clock = ReportClock()
  private var last: Int64?

  /// Nil unless the device is an accelerometer with an event node.
  public init?(_ device: DeviceDescription) {
    guard device.isAccelerometer, !device.isSensor else { return nil }
    axes = device.accelerationAxes.map { code in
      Axis(code: code, scale: GravityScale.gravity / device.unitsPerGravity(code))
    }
  }

  /// Returns the samples since the previous frame, this one included. A frame with `isResync` set gives the state of
  /// the axes and no sample.
  public mutating func samples(_ frame: Frame) -> [AccelerationSample] {
    let time = time(of: frame)
    var samples = frame.isResync ? [] : heldSamples(until: time)
    var isNews = false
    for event in frame.events where event.type == EventCode.EV_ABS {
      guard let index = axes.firstIndex(where: { $0.code == event.code }) else { continue }
      axes[index].value = Double(event.value) * axes[index].scale
      isNews = true
    }
    guard isNews else { return samples }
    if !frame.isResync { samples.append(sample(at: time)) }
    last = time
    return samples
  }

  /// Forgets the previous frame, so that the gap before the next one is not filled.
  mutating func cancel() {
    last = nil
    clock.cancel()
  }

  private mutating func time(of frame: Frame) -> Int64 {
    if frame.isResync { clock.cancel() }
    let stamp = frame.events.last { $0.type == EventCode.EV_MSC && $0.code == EventCode.MSC_TIMESTAMP }
    return stamp.map { clock.time(stamp: $0.value, kernel: frame.time) } ?? frame.time
  }

  private func heldSamples(until time: Int64) -> [AccelerationSample] {
    guard let last, let pause = time.elapsed(since: last), pause > Self.silence else { return [] }
    let end = time - Self.lead
    let first = end - min(Self.held, pause - Self.lead - Self.heldStep)
    return (stride(from: first, to: end, by: Int(Self.heldStep)) + [end]).map { sample(at: $0) }
  }

  private func sample(at time: Int64) -> AccelerationSample {
    AccelerationSample(time: time, x: axes[0].value, y: axes[1].value, z: axes[2].value)
  }
}

extension DeviceDescription {
  /// Whether the device is an accelerometer. The kernel's drivers mark the event nodes of accelerometers
  /// (`INPUT_PROP_ACCELEROMETER`); the descriptions of IIO sensors have the same mark.
  public var isAccelerometer: Bool {
    properties.contains(EventCode.INPUT_PROP_ACCELEROMETER) || name == Self.wiiRemote
  }

  /// Whether the device is a sensor of the IIO subsystem, built into this machine and without an event node.
  public var isSensor: Bool { isAccelerometer && codes.isEmpty }

  /// The event codes of the three axes.
  var accelerationAxes: [UInt16] { name == Self.wiiRemote ? [0x03, 0x04, 0x05] : [0x00, 0x01, 0x02] }

  /// The number of an axis's units per g: the axis's resolution (Documentation/input/event-codes.rst), else 256, the
  /// scale of drivers for laptops' disks; for a Wii Remote 102.
  func unitsPerGravity(_ axis: UInt16) -> Double {
    let stated = axes[axis]?.resolution ?? 0
    if stated > 0 { return Double(stated) }
    return name == Self.wiiRemote ? 102 : 256
  }

  /// The name of the accelerometer of hid-wiimote, which reports on ABS_RX, ABS_RY and ABS_RZ, without a mark and
  /// without a resolution.
  private static let wiiRemote = "Nintendo Wii Remote Accelerometer"
}

/// Times the samples of a device that sends several in one report.
///
/// The kernel stamps the frames of such a report within microseconds of each other. The device's own clock
/// (MSC_TIMESTAMP: microseconds in 32 bits, which wrap after 71 minutes) gives the spacing of the samples. The kernel's
/// stamps bound the result, because the device's clock may run slow or fast, restart, stop, or be garbage:
/// - A time is never later than the kernel's stamp: a sample cannot arrive before it was measured.
/// - A time is never more than ``longestDelay`` earlier than the kernel's stamp.
/// - Between these bounds time passes faster than on the device's clock by the factor ``haste``. So the end of each
///   report meets the kernel's stamp again, and a device's clock that is up to ``haste`` slow does not fall behind.
struct ReportClock: Sendable {
  /// The longest time from a measurement to the kernel's stamp, in nanoseconds: more than a radio's retransmissions
  /// take. This limit bounds the delay of a gesture's stamp, and is shorter than the recogniser's longest gap.
  private static let longestDelay: Int64 = 100_000_000
  /// The factor by which time passes faster than on the device's clock. It exceeds the error of hid-nintendo, which
  /// rounds the mean time between reports down to milliseconds: with 14 ms instead of 15 ms its clock is 7 % slow.
  private static let haste = 9.0 / 8

  private var last: (device: UInt32, time: Int64)?

  /// The time at which the samples of a frame were measured, in nanoseconds on the kernel's clock.
  ///
  /// - Parameters:
  ///   - stamp: the value of the frame's MSC_TIMESTAMP.
  ///   - kernel: the kernel's stamp of the frame, in nanoseconds.
  mutating func time(stamp: Int32, kernel: Int64) -> Int64 {
    let device = UInt32(bitPattern: stamp)
    var time = kernel
    if let last {
      let passed = Double(device &- last.device) * 1000 * Self.haste
      let earliest = max(kernel, .min + Self.longestDelay) - Self.longestDelay
      time = min(kernel, max(earliest, last.time.later(by: Int64(passed))))
    }
    last = (device, time)
    return time
  }

  /// Forgets the last sample, because the next one does not follow it.
  mutating func cancel() { last = nil }
}
