/// Times the samples of a device that sends several in one report.
///
/// The kernel stamps the frames of such a report within microseconds of each other. The device's own clock
/// (MSC_TIMESTAMP: microseconds in 32 bits, which wrap after 71 minutes) gives the spacing of the samples. The kernel's
/// stamps bound the result, because the device's clock may run slow or fast, restart, stop, or be garbage:
/// - A time is never later than the kernel's stamp: a sample cannot arrive before it was measured.
/// - A time is never more than ``longestDelay`` earlier than the kernel's stamp.
/// - Between these bounds time passes faster than on the device's clock by the factor ``haste``. So the end of each report
///   meets the kernel's stamp again, and a device's clock that is up to ``haste`` slow does not fall behind.
struct ReportClock: Sendable {
  /// The longest time from a measurement to the kernel's stamp, in nanoseconds: more than a radio's retransmissions take.
  /// It bounds how late a gesture can be stamped, and is shorter than the recogniser's longest gap.
  private static let longestDelay: Int64 = 100_000_000
  /// The factor is above the error of hid-nintendo, which derives the stamps from the mean time between reports,
  /// rounded down to milliseconds: 14 of 15 ms, so that its clock may be 7 % slow.
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
