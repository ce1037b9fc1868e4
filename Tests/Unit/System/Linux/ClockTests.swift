import Foundation
import Linux
import Testing

struct ClockTests {
  @Test func `the boot ID is the kernel's without dashes, whatever the fallback`() throws {
    let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    let digits = text.filter { $0 != "-" && $0 != "\n" }
    #expect(digits.count == 32)
    #expect(Clock.bootID(fallback: nil) == digits)
    #expect(Clock.bootID(fallback: "0123456789abcdef0123456789abcdef") == digits)
  }

  @Test func `wall-clock time of boot plus the time since boot is the present time`() {
    let now = Clock.bootTime() + Clock.boottime() / 1000
    #expect(abs(now - Clock.microsecondsSince1970()) < 60_000_000)
  }

  @Test func `time in suspend is never more than the time since boot`() {
    #expect(Clock.suspendedTime() <= Clock.boottime())
    #expect(Clock.boottime() - Clock.suspendedTime() <= Clock.monotonic() + 60_000_000_000)
  }
}
