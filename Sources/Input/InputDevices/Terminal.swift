import Clibevdev
public import Gestures
import Glibc
public import Linux

/// The terminal of this program as an input device: each key that a person hits is a press.
///
/// While this object lives, the terminal delivers keys at once and does not echo them. Its former mode is restored by
/// ``restore()``, when the process ends in any way, or when this object is deallocated.
public final class Terminal {
  /// The description for recognisers and bindings: a device called `terminal`, with the keys that it can distinguish.
  public static let description = {
    var description = DeviceDescription(name: "terminal", bus: UInt16(BUS_VIRTUAL), codes: [1: codes])
    description.mayTypeTexts = false
    return description
  }()

  private static let codes = Set([KEY_SPACE, KEY_ENTER, KEY_MINUS, KEY_DOWN, KEY_U, KEY_Q].map(UInt16.init))

  private var keys = TerminalKeyDecoder()
  private var input: TerminalInput?
  private var source: DescriptorSource?

  /// Reads the keys of the terminal from now on.
  ///
  /// - Parameters:
  ///   - onKey: receives the two frames of each key: down and up.
  ///   - onEnd: called when the terminal is gone.
  /// - Throws: the errors of ``TerminalInput/init()``.
  public init(
    loop: EventLoop, onKey: @escaping ([Frame]) -> Void, onEnd: @escaping () -> Void
  ) throws(SystemError) {
    input = try TerminalInput()
    source = try loop.watch(number: STDIN_FILENO, for: .readable, priority: .input) { [unowned self] _ in
      guard let bytes = TerminalInput.readReady() else {
        source = nil
        return onEnd()
      }
      for code in keys.decode(bytes).compactMap(Self.code) { onKey(Self.frames(pressing: code, at: Clock.boottime())) }
    }
  }

  deinit { restore() }

  public func restore() {
    (source, input) = (nil, nil)
  }

  /// The kernel's code of a key that counts.
  static func code(of key: TerminalKey) -> UInt16? {
    key.name.flatMap(EvdevKeys.code(of:)).flatMap { codes.contains($0) ? $0 : nil }
  }

  /// The frames of a press. A terminal reports whole presses only, so the key is down and up within a microsecond.
  static func frames(pressing code: UInt16, at time: Int64) -> [Frame] {
    [1, 0].enumerated().map { index, value in
      Frame(time: time + Int64(index) * 1000, events: [InputEvent(type: 1, code: code, value: value)])
    }
  }
}
