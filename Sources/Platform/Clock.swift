import Glibc

/// The clocks the project reads; everything below the rim gets times as values.
public enum Clock {
  /// `CLOCK_MONOTONIC` in nanoseconds: the clock of gestures, deadlines and event stamps.
  public static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

  /// Microseconds since 1970-01-01T00:00:00Z: the time that people read in the history.
  public static func microsecondsSince1970() -> Int64 { read(CLOCK_REALTIME) / 1000 }

  /// Microseconds since the machine was started, those included in which it slept.
  public static func microsecondsSinceBoot() -> Int64 { read(CLOCK_BOOTTIME) / 1000 }

  /// What tells this run of the machine from any other: the kernel's boot id, 32 digits; `nil` where nobody says.
  public static let boot: String? = {
    let file = try? FileContent.read("/proc/sys/kernel/random/boot_id", upTo: 64)
    // A service whose view of /proc is narrowed gets it from its unit.
    let text = file.map { String(decoding: $0, as: UTF8.self) } ?? ServiceProcess.environment("TALLYMARK_BOOT_ID")
    let digits = text?.filter(\.isHexDigit)
    return digits?.count == 32 ? digits : nil
  }()

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
