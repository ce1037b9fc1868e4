import Glibc

/// The kernel's clocks.
public enum Clock {
  /// `CLOCK_BOOTTIME` in nanoseconds: time since boot, including suspend. No user can set it.
  public static func boottime() -> Int64 { read(CLOCK_BOOTTIME) }

  /// `CLOCK_MONOTONIC` in nanoseconds: time since boot, without suspend.
  public static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

  /// `CLOCK_THREAD_CPUTIME_ID` in nanoseconds: processor time of the calling thread.
  public static func threadTime() -> Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// The total time since boot in which the machine was suspended, in nanoseconds; never too large.
  public static func suspendedTime() -> Int64 {
    var most = Int64.min
    // An interruption between the reads of the two clocks makes the result too small.
    for _ in 0..<3 {
      let (boottime, monotonic) = (boottime(), monotonic())
      most = max(most, boottime &- monotonic)
    }
    return most
  }

  /// Wall-clock time: `CLOCK_REALTIME` in microseconds since 1970-01-01T00:00:00Z.
  public static func microsecondsSince1970() -> Int64 { read(CLOCK_REALTIME) / 1000 }

  /// Wall-clock time of boot: `CLOCK_REALTIME` minus `CLOCK_BOOTTIME`, in microseconds. Changes when the clock is set.
  public static func bootTime() -> Int64 {
    var best = (spread: Int64.max, began: Int64(0))
    // Another try is worthwhile after an interruption between the reads of the clocks.
    for _ in 0..<5 where best.spread > 20_000 {
      let (before, boot, after) = (read(CLOCK_REALTIME), read(CLOCK_BOOTTIME), read(CLOCK_REALTIME))
      let spread = after &- before
      if spread >= 0, spread < best.spread { best = (spread, (before &+ spread / 2 &- boot) / 1000) }
    }
    return best.began
  }

  /// Whether the wall clock may be right from boot on: a hardware clock set it, and its time is later than the first
  /// version of this program. Most single-board computers have no hardware clock; a hardware clock with an empty
  /// battery shows an old time.
  ///
  /// - Parameters:
  ///   - folder: the hardware clocks in sysfs. `hctosys` is 1 for the clock from which the kernel set the time.
  ///   - board: the description of a board in sysfs. PCs have none: there the kernel itself reads the clock.
  public static func isPlausible(
    hardware folder: String = "/sys/class/rtc", board: String = "/sys/firmware/devicetree/base"
  ) -> Bool {
    // The start of 2025.
    guard microsecondsSince1970() >= 1_735_689_600_000_000 else { return false }
    return unsafe access(board, F_OK) != 0
      || (0..<8).contains { number in
        (try? FileContent.read("\(folder)/rtc\(number)/hctosys", upTo: 8))?.first == UInt8(ascii: "1")
      }
  }

  /// Whether systemd-timesyncd has set the clock from a server since boot.
  public static func isSynchronized() -> Bool { unsafe access("/run/systemd/timesync/synchronized", F_OK) == 0 }

  /// The kernel's boot ID, which identifies this run of the machine: 32 hexadecimal digits.
  ///
  /// - Parameter fallback: the ID as text, for a service whose `/proc` does not show it.
  /// - Returns: `nil` if neither has 32 digits.
  public static func bootID(fallback: String?) -> String? {
    let file = try? FileContent.read("/proc/sys/kernel/random/boot_id", upTo: 64)
    let digits = (file.map { String(decoding: $0, as: UTF8.self) } ?? fallback)?.filter(\.isHexDigit)
    return digits?.count == 32 ? digits : nil
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// Detects that the machine was suspended.
public struct SuspendDetector: Sendable {
  private var known = Clock.suspendedTime()

  /// The shortest suspend, in nanoseconds. Shorter differences are jitter of reading two clocks.
  private static let shortest: Int64 = 1_000_000

  public init() {}

  /// Returns the time in suspend since the previous call, in nanoseconds; `nil` for none.
  public mutating func suspendedTimeSinceLastCheck() -> Int64? {
    let asleep = Clock.suspendedTime()
    guard asleep - known >= Self.shortest else { return nil }
    defer { known = asleep }
    return asleep - known
  }
}
