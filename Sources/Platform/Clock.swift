import Glibc

/// The two clocks the project reads; everything below the rim gets times as values.
public enum Clock {
  /// `CLOCK_MONOTONIC` in nanoseconds: the clock of gestures, deadlines and event stamps.
  public static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

  /// Microseconds since 1970-01-01T00:00:00Z: the time that people read in the history.
  public static func microsecondsSince1970() -> Int64 { read(CLOCK_REALTIME) / 1000 }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
