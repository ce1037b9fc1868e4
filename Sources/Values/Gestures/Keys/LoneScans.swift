/// Finds presses of buttons that send a scan code (`MSC_SCAN`) without a key, because the kernel has no key for the
/// code.
///
/// The kernel's drivers report a scan code before they look up its key (hid-input.c, atkbd.c, rc-main.c), so the code
/// of such a button arrives alone.
///
/// Buttons whose codes have no key of their own share `KEY_UNKNOWN`: while one of them is down, the kernel drops the key
/// of the others.
///
/// A press, usually its release, and the repetitions of a held button have the same code and cannot be distinguished. A
/// remote whose buttons have keys repeats the code of a held button without the key (LibreELEC/LibreELEC.tv#5172).
struct LoneScans: Sendable {
  /// The scan codes that came with a key.
  private var known: Set<UInt32> = []
  /// The scan code of the button that holds `KEY_UNKNOWN` down; nil for none.
  private var unknown: UInt32?
  /// The last scan code without a key, and its time.
  private var last: (scan: UInt32, time: Int64)?

  /// The shortest time without the code before a press, in nanoseconds. Remotes repeat a code after 110 ms, and a press
  /// seldom lasts longer than 200 ms.
  private static let pause: Int64 = 300_000_000
  /// The maximum number of known codes, more than any device has buttons. Once it is reached, further codes with a key
  /// cannot be recorded, so no press is reported any more.
  private static let most = 1024

  /// Handles a frame, and returns the scan code of the button that it presses; nil for none.
  ///
  /// Reports after a resynchronisation are no presses.
  mutating func take(_ frame: Frame) -> UInt32? {
    var scan: UInt32?
    var hasKey = false
    for event in frame.events {
      if event.type == EventCode.EV_MSC, event.code == EventCode.MSC_SCAN { scan = UInt32(bitPattern: event.value) }
      if event.type == EventCode.EV_KEY {
        hasKey = true
        if let scan, known.count < Self.most { known.insert(scan) }
        if event.code == KeyCode.unknown, event.value < 2 { unknown = event.value == 1 ? scan : nil }
      }
    }
    guard let scan, !hasKey, !frame.isResync else { return nil }
    let isHidden = unknown.map { $0 != scan } ?? false
    guard known.count < Self.most, isHidden || !known.contains(scan) else { return nil }
    defer { last = (scan, frame.time) }
    guard let last, last.scan == scan else { return scan }
    return frame.time.elapsed(since: last.time) ?? .max > Self.pause ? scan : nil
  }
}
