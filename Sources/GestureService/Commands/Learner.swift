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
  private let questions: Questions
  private var devices: [PhysicalDevice] = []
  /// What was in the file.
  private var former = Configuration.standard

  /// Everything is awaited in pieces of this length, in microseconds.
  private static let turn: UInt64 = 100_000
  /// What a press types arrives at the terminal a little later than the press; in nanoseconds.
  private static let typingTime: Int64 = 300_000_000
  /// How long the person may take to try it, in nanoseconds.
  private static let tryingTime: Int64 = 30_000_000_000

  /// - Parameters:
  ///   - option: the file that `--config` names.
  ///   - socket: the core's socket that `--socket` names.
  public init(option: String?, socket: String?) throws {
    loop = try EventLoop()
    file = ConfigurationFile.placeToWrite(option: option)
    questions = Questions(socket: socket)
  }

  /// Gives the code to exit with.
  public func run() throws -> Int32 {
    let text = try formerText()
    guard let heard = try listen() else { return 1 }
    guard let device = devices.first(where: { $0.has(heard.node) }) else { return 1 }
    say("This was \(BindingText.name(of: device)) (\(heard.node.path)): \(BindingText.sentence(heard.gesture)).")
    let writer: BindingWriter
    let action: Action
    do {
      let zone = try zone(of: heard)
      action = try questions.action()
      writer = BindingWriter(
        gesture: heard.gesture, description: heard.description, device: device, zone: zone,
        takesDevice: try takesDevice(device, heard), all: devices)
    } catch let error as Questions.NoAnswer {
      say("\(error)")
      return 1
    }
    let result: BindingWriter.Result
    do {
      result = try writer.write(action, into: text, file: file)
    } catch let error as BindingWriter.Nameless {
      say("\(error)")
      return 1
    } catch {
      say("\(error)\nThese lines would do it:\n\(lines(writer, action))")
      return 1
    }
    try FileContent.replace(file, with: Array(result.text.utf8))
    say("Written to \(file), line \(result.line):\n\(lines(writer, action))")
    try givePermission(device)
    try tryOut(device, result.configuration)
    return 0
  }

  // MARK: The steps

  /// What is in the file; a wrong one has to be mended before anything is added to it.
  private func formerText() throws -> String {
    do {
      let bytes = try FileContent.read(file, upTo: Configuration.sizeLimit)
      former = try ConfigurationFile.read(file)
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
    let end = Clock.boottime() + Self.typingTime
    while Clock.boottime() < end { _ = try loop.runOnce(waiting: Self.turn) }
    if isatty(STDIN_FILENO) == 1 { tcflush(STDIN_FILENO, TCIFLUSH) }
    return heard
  }

  /// On a screen a part of it may be meant; on a pad that moves a pointer, and on what only pretends to be a finger, the
  /// place means nothing.
  private func zone(of heard: Ears.Heard) throws -> Zone? {
    guard heard.description.deviceClass == .touchscreen, let position = heard.gesture.position else { return nil }
    return try questions.zone(at: position)
  }

  /// What types is heard by other programs too, unless it is taken from them.
  private func takesDevice(_ device: PhysicalDevice, _ heard: Ears.Heard) throws -> Bool {
    let key = heard.gesture.key ?? heard.gesture.chord.first?.code
    guard let key, let name = EvdevKeys.name(of: key), name.hasPrefix("KEY_") else { return false }
    if case .used(let rule) = former.rule(for: heard.description), rule.grab { return false }
    return try questions.takesDevice(device, key: name)
  }

  /// Root may read everything, and whoever runs the gesture daemon may not.
  private func givePermission(_ device: PhysicalDevice) throws {
    guard ServiceProcess.user == 0, !UdevRule.isInstalled(for: device) else { return }
    do {
      let question = "You are root. Let the gesture daemon, and whoever sits at this machine, read the device as well?"
      guard try questions.yes(question, enterMeans: true) else { return }
      try UdevRule.install(for: device)
      say("The rule is in \(UdevRule.file).")
    } catch is Questions.NoAnswer {
      say("This would do it:\n  \(UdevRule.command(for: device))")
    } catch {
      say("\(error). This would do it:\n  \(UdevRule.command(for: device))")
    }
  }

  /// Waits until it is done again: heard here, or, where the gesture daemon has taken the device, counted by that.
  private func tryOut(_ device: PhysicalDevice, _ configuration: Configuration) throws {
    let core = CoreKnowledge(socket: questions.socket)
    let last = try core?.lastEvent()
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
    say("Try it: do it again. (A gesture daemon that runs does so in a moment, and counts this.)")
    let end = Clock.boottime() + Self.tryingTime
    while Clock.boottime() < end {
      if try !loop.runOnce(waiting: Self.turn) {
        // All that there was has been read, so nothing older than this turn is still to come.
        let now = Clock.boottime() - Int64(Self.turn) * 1000
        for listener in listeners where done == nil { done = bound[listener.node.syspath]?.advance(to: now).first }
      }
      if let done { return say("\(BindingText.sentence(done.gesture)) → \(done.action?.description ?? "nothing")") }
      for node in device.nodes {
        let name = CauseText.device(node.description.name)
        guard let last, let count = try core?.count(by: name, after: last) else { continue }
        return say("\(count.gesture) → \(count.counter) is \(count.value), counted by the gesture daemon")
      }
    }
    withExtendedLifetime(listeners) {}
    say("Nothing came within half a minute. tally-inputd monitor shows what arrives.")
  }

  private func lines(_ writer: BindingWriter, _ action: Action) -> String {
    writer.lines(action).map { "  " + $0 }.joined(separator: "\n")
  }

  private func say(_ text: String) { StandardOutput.line(text) }
}
