import CLinux
import Clibevdev
public import Gestures
import Glibc
public import Platform

/// The terminal this program was started on, as an input device: each key a person hits on it is a press.
///
/// While this object lives the terminal gives keys at once and does not show them; its former state comes back with
/// ``restore()``, at the end of the process however it ends, or when this object is let go.
public final class Terminal {
  /// The description for recognisers and bindings: a device called `terminal`, with the keys that can be told apart.
  public static let description = DeviceDescription(
    name: "terminal", bus: UInt16(BUS_VIRTUAL), codes: [1: TerminalKeys.codes])

  private var keys = TerminalKeys()
  private var source: DescriptorSource?
  private static let input: Int32 = 0

  /// Takes the keys of the terminal from now on.
  ///
  /// - Parameters:
  ///   - onKey: gets the two frames of each key: down and up.
  ///   - onEnd: the terminal is gone.
  /// - Throws: `ENOTTY` where standard input is no terminal.
  public init(
    loop: EventLoop, onKey: @escaping ([Frame]) -> Void, onEnd: @escaping () -> Void
  ) throws(SystemError) {
    try check(linux_terminal_raw(Self.input), "take the keys of the terminal")
    source = try loop.watch(number: Self.input, for: .readable, priority: .input) { [unowned self] _ in
      guard let bytes = read() else {
        source = nil
        return onEnd()
      }
      for code in keys.decode(bytes) { onKey(Self.frames(pressing: code, at: Clock.boottime())) }
    }
  }

  deinit { restore() }

  /// Gives the terminal back as it was.
  public func restore() {
    source = nil
    linux_terminal_restore()
  }

  /// A terminal tells of whole presses only: the key is down and up within a microsecond.
  static func frames(pressing code: UInt16, at time: Int64) -> [Frame] {
    [1, 0].enumerated().map { index, value in
      Frame(time: time + Int64(index) * 1000, events: [InputEvent(type: 1, code: code, value: value)])
    }
  }

  /// One call of the kernel, which does not wait when the loop found something: the descriptor is shared with the
  /// shell and must stay as it is.
  private func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe Glibc.read(Self.input, &bytes, bytes.count)
    if count < 0 && (errno == EINTR || errno == EAGAIN) { return [] }
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}
