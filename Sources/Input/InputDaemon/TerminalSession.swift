import Bindings
import Gestures
import InputDevices
import Linux

/// Treats the terminal's keys as a device: they are recognised, bound and delivered like those of other devices.
final class TerminalSession {
  private var terminal: Terminal?
  private var bound: BoundDevice

  /// The bindings of the terminal's keys. No configuration is needed for them.
  private static let binding = """
    [[device]]
    name = "terminal"
    bounce = false  # it tells of whole presses, as fast as they are pasted
    [[device.bind]]
    gesture = "press"
    keys = ["KEY_SPACE", "KEY_ENTER"]
    do = "add"
    [[device.bind]]
    gesture = "press"
    keys = ["KEY_MINUS", "KEY_DOWN"]
    do = "subtract"
    [[device.bind]]
    gesture = "press"
    key = "KEY_U"
    do = "undo"
    """

  /// The description of these bindings for the person at the terminal.
  static let help = "Keys: space or Enter adds, - or the down arrow takes off, u undoes, q quits."

  /// - Parameter onEnd: called when the person quits, or the terminal is gone.
  /// - Throws: if standard input is no terminal.
  init(
    loop: EventLoop, onGestures: @escaping ([BoundGesture]) -> Void, onEnd: @escaping () -> Void
  ) throws {
    let keys = KeyNames(code: { EvdevKeys.code(of: $0) })
    let configuration = try Configuration(Array(Self.binding.utf8), file: "the terminal", keys: keys)
    guard case .used(let rule) = configuration.rule(for: Terminal.description) else { throw UnboundTerminal() }
    bound = BoundDevice(Terminal.description, rule: rule)
    let quit = EvdevKeys.code(of: "KEY_Q")
    terminal = try Terminal(
      loop: loop,
      onKey: { [unowned self] frames in
        if frames.first?.events.first?.code == quit { return onEnd() }
        for frame in frames { onGestures(bound.handle(frame)) }
      }, onEnd: onEnd)
  }

  func stop() { terminal = nil }

  private struct UnboundTerminal: Error {}
}
