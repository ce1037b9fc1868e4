import Bindings
import Gestures
import Glibc
import InputDevices
import Platform

/// `tally-inputd learn`: asks a person to press what they want to count with and what it should do, writes that down,
/// and tries it.
public final class Learner {
  private let loop: EventLoop
  private let file: String
  private var devices: [PhysicalDevice] = []

  /// Everything is awaited in pieces of this length, in microseconds.
  private static let turn: UInt64 = 100_000
  /// What a press types arrives at the terminal a little later than the press; in nanoseconds.
  private static let typingTime: Int64 = 300_000_000
  /// How long the person may take to try it, in nanoseconds.
  private static let tryingTime: Int64 = 30_000_000_000

  /// - Parameter option: the file that `--config` names.
  public init(option: String?) throws {
    loop = try EventLoop()
    file = ConfigurationFile.placeToWrite(option: option)
  }

  /// Gives the code to exit with.
  public func run() throws -> Int32 {
    let former = try formerText()
    guard let heard = try listen() else { return 1 }
    guard let device = devices.first(where: { $0.nodes.contains(heard.node) }) else { return 1 }
    say("This was \(BindingText.name(of: device)) (\(heard.node.path)): \(BindingText.sentence(heard.gesture)).")
    guard let action = ask() else {
      say("There was no answer, so nothing was written.")
      return 1
    }
    let writer = BindingWriter(
      gesture: heard.gesture, description: heard.description, device: device, all: devices)
    let result: BindingWriter.Result
    do {
      result = try writer.write(action, into: former, file: file)
    } catch {
      say("\(error)\nThese lines would do it:\n\(lines(device, heard.gesture, action))")
      return 1
    }
    try FileContent.replace(file, with: Array(result.text.utf8))
    say("Written to \(file), line \(result.line):\n\(lines(device, heard.gesture, action))")
    tellPermission(device)
    try tryOut(device, result.configuration)
    return 0
  }

  // MARK: The steps

  /// What is in the file; a wrong one has to be mended before anything is added to it.
  private func formerText() throws -> String {
    do {
      let bytes = try FileContent.read(file, upTo: Configuration.sizeLimit)
      _ = try ConfigurationFile.read(file)
      return String(decoding: bytes, as: UTF8.self)
    } catch let error as SystemError where [ENOENT, ENOTDIR].contains(error.code) {
      return ""
    }
  }

  private func listen() throws -> Ears.Heard? {
    var heard: Ears.Heard?
    let ears = try Ears(loop: loop, onHeard: { if heard == nil { heard = $0 } })
    let nodes = try DeviceInventory().nodes()
    devices = PhysicalDevice.all(nodes)
    ears.listen(to: nodes)
    for device in PhysicalDevice.all(ears.denied) {
      say(
        """
        \(BindingText.name(of: device)) (\(device.nodes.map(\.path).joined(separator: ", "))) may not be read. If it is \
        the one, run this and begin again:
          \(UdevRule.command(for: device))
        """)
    }
    guard !ears.listeners.isEmpty else {
      say("There is no device that could be listened to.")
      return nil
    }
    // What sleeps or is not plugged in yet comes later.
    let watcher = try DeviceWatcher(loop: loop) { [unowned self] nodes in
      devices = PhysicalDevice.all(nodes)
      ears.listen(to: nodes)
    }
    say("Press the thing you want to count with, once. (Ctrl-C ends this.)")
    while heard == nil { _ = try loop.runOnce(waiting: Self.turn) }
    withExtendedLifetime(watcher) {}
    // A pedal that is a keyboard has typed something, and that is no answer.
    let end = Clock.monotonic() + Self.typingTime
    while Clock.monotonic() < end { _ = try loop.runOnce(waiting: Self.turn) }
    if isatty(STDIN_FILENO) == 1 { tcflush(STDIN_FILENO, TCIFLUSH) }
    return heard
  }

  private func ask() -> Action? {
    say("What should it do? add, subtract, add people 2, select people, undo, … Enter alone means add.")
    while true {
      _ = Output.write("> ")
      guard let answer = readLine() else { return nil }
      do throws(Action.Problem) {
        return answer.allSatisfy(\.isWhitespace) ? .add : try Action(answer)
      } catch {
        say("\(error.reason)\(error.hint.map { ": \($0)" } ?? "").")
      }
    }
  }

  private func tellPermission(_ device: PhysicalDevice) {
    // Root may read everything, and whoever runs the gesture daemon may not.
    guard ServiceProcess.user == 0 else { return }
    say(
      """
      You are root and may read it. To let the group input and whoever sits at this machine read it as well:
        \(UdevRule.command(for: device))
      """)
  }

  private func tryOut(_ device: PhysicalDevice, _ configuration: Configuration) throws {
    var done: BoundGesture?
    var bound: [String: BoundDevice] = [:]
    let listeners = device.nodes.compactMap { node in
      try? DeviceListener(
        loop: loop, node: node,
        onFrame: { _, frame in
          if let first = bound[node.syspath]?.handle(frame).first, done == nil { done = first }
        }, onEnd: { _, _ in })
    }
    for listener in listeners {
      guard case .used(let rule) = configuration.rule(for: listener.device.description) else { continue }
      var device = BoundDevice(listener.device.description, rule: rule)
      _ = device.handle(listener.device.state())
      bound[listener.node.syspath] = device
    }
    say("Try it: press it again. (A gesture daemon that runs does so from now on, and counts this.)")
    let end = Clock.monotonic() + Self.tryingTime
    while done == nil, Clock.monotonic() < end {
      if try loop.runOnce(waiting: Self.turn) { continue }
      // All that there was has been read, so nothing older than this turn is still to come.
      let now = Clock.monotonic() - Int64(Self.turn) * 1000
      for listener in listeners where done == nil { done = bound[listener.node.syspath]?.advance(to: now).first }
    }
    withExtendedLifetime(listeners) {}
    guard let done else { return say("Nothing came within half a minute. tally-inputd monitor shows what arrives.") }
    say("\(BindingText.sentence(done.gesture)) → \(done.action?.description ?? "nothing")")
  }

  private func lines(_ device: PhysicalDevice, _ gesture: Gesture, _ action: Action) -> String {
    let lines =
      BindingText.device(device, among: devices) + BindingText.binding(gesture, action).map { "  " + $0 }
    return lines.map { "  " + $0 }.joined(separator: "\n")
  }

  private func say(_ text: String) { _ = Output.write(text + "\n") }
}
