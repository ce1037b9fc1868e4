import Glibc

/// The clocks the project reads; everything below the rim gets times as values.
public enum Clock {
  /// `CLOCK_BOOTTIME` in nanoseconds: the clock of gestures, deadlines and event stamps. Nobody sets it, and it goes on
  /// while the machine sleeps; so what was done before and after a sleep was not done together.
  public static func boottime() -> Int64 { read(CLOCK_BOOTTIME) }

  /// The same without the time that the machine has slept (`CLOCK_MONOTONIC`): how long something has had to happen.
  public static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

  /// How long the machine has slept since it was started, in nanoseconds; never more than it was.
  public static func asleep() -> Int64 {
    var most = Int64.min
    // Two clocks cannot be read at once; whoever is interrupted in between has slept longer than it seems.
    for _ in 0..<3 {
      let (boottime, monotonic) = (boottime(), monotonic())
      most = max(most, boottime &- monotonic)
    }
    return most
  }

  /// Microseconds since 1970-01-01T00:00:00Z: the time that people read in the history.
  public static func microsecondsSince1970() -> Int64 { read(CLOCK_REALTIME) / 1000 }

  /// When the machine was started, in microseconds since 1970 as the time is now: what the time that people read is ahead
  /// of the clock that goes on while the machine sleeps and never jumps.
  public static func microsecondsAtBoot() -> Int64 {
    var best = (spread: Int64.max, began: Int64(0))
    // Two clocks cannot be read at once; whoever is interrupted in between tries again.
    for _ in 0..<5 where best.spread > 20_000 {
      let (before, boot, after) = (read(CLOCK_REALTIME), read(CLOCK_BOOTTIME), read(CLOCK_REALTIME))
      let spread = after &- before
      if spread >= 0, spread < best.spread { best = (spread, (before &+ spread / 2 &- boot) / 1000) }
    }
    return best.began
  }

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
