import Bindings
import Gestures
import Glibc
import InputDaemon
import InputDevices
import Linux
import Tallymark

/// `tally-input learn`: asks a person to make the gesture and to name its action, writes the binding, and tries it.
public final class Learner {
  private let loop: EventLoop
  private let file: String
  private let questions: Questions
  private var devices: [PhysicalDevice] = []
  /// The former text of the file.
  private var former = Configuration.standard

  /// The length of one wait, in microseconds.
  private static let turn: UInt64 = 100_000
  /// The delay between a press and the characters that it types into the terminal, in nanoseconds.
  private static let typingTime: Int64 = 300_000_000
  /// The time for which the person may try the gesture, in nanoseconds.
  private static let tryingTime: Int64 = 30_000_000_000

  /// - Parameters:
  ///   - option: the value of `--config`.
  ///   - socket: the value of `--socket`.
  public init(option: String?, socket: String?) throws {
    loop = try EventLoop()
    file = try ConfigurationFile.placeToWrite(option: option)
    questions = Questions(socket: socket)
  }

  /// Runs the dialogue; returns the exit code.
  public func run() throws -> Int32 {
    let text = try formerText()
    let core = CoreKnowledge(socket: questions.socket)
    let last = try core?.lastEvent()
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
    if !result.lostDefaults.isEmpty {
      let lost = result.lostDefaults.map(ConfigurationSummary.text).joined(separator: "; ")
      say("A device with a binding of its own has no defaults. Learn what you need of them as well: \(lost).")
    }
    try givePermission(heard.node)
    if let core, let last { takeBack(heard, from: core, after: last) }
    if action.verb != .nothing { try tryOut(device, result.configuration) }
    return 0
  }

  // MARK: The steps

  /// The text of the file. Its faults must be corrected before a binding is added.
  private func formerText() throws -> String {
    guard let text = try ConfigurationFile.text(file) else { return "" }
    former = try ConfigurationFile.parse(text, file: file)
    return text
  }

  private func listen() throws -> DeviceListenerSet.Heard? {
    var heard: DeviceListenerSet.Heard?
    let relay = try RelayClient(loop: loop) { StandardOutput.line($0) }
    let listening = try DeviceListenerSet(loop: loop, relay: relay, onHeard: { if heard == nil { heard = $0 } })
    let nodes = try DeviceInventory().nodes()
    devices = PhysicalDevice.all(nodes)
    listening.listen(to: nodes)
    let denied = PhysicalDevice.all(listening.denied)
    if !denied.isEmpty {
      say("This user may not read:")
      for device in denied {
        say("  \(BindingText.name(of: device)) (\(device.nodes.map(\.path).joined(separator: ", ")))")
      }
      say("If it is one of these: sudo tally-input learn --config \(Remedy.word(file))")
    }
    guard !listening.listeners.isEmpty else {
      say("There is no device that could be listened to.")
      return nil
    }
    // Sleeping devices and devices that are not connected yet appear later.
    let watcher = try DeviceWatcher(loop: loop) { [unowned self] nodes in
      devices = PhysicalDevice.all(nodes)
      listening.listen(to: nodes)
    }
    try relay.waitForReports()
    for listener in listening.listeners where isGrabbed(listener) { listener.silence().map(say) }
    heard = nil
    say("Press the thing you want to count with, once. (Ctrl-C ends this.)")
    while heard == nil { _ = try loop.runOnce(waiting: Self.turn) }
    withExtendedLifetime(watcher) {}
    // A pedal that is a keyboard also types into the terminal; these characters are not an answer.
    let end = Clock.boottime() + Self.typingTime
    while Clock.boottime() < end { _ = try loop.runOnce(waiting: Self.turn) }
    if isatty(STDIN_FILENO) == 1 { tcflush(STDIN_FILENO, TCIFLUSH) }
    return heard
  }

  /// Whether the configuration grabs the device.
  private func isGrabbed(_ listener: DeviceListener) -> Bool {
    guard case .used(let rule) = former.rule(for: listener.device.description) else { return false }
    return rule.grab
  }

  /// Asks for a zone if the gesture was made on a screen. On a pad that moves a pointer, and on a device that only
  /// simulates a finger, the position has no meaning.
  private func zone(of heard: DeviceListenerSet.Heard) throws -> Zone? {
    guard heard.description.deviceClass == .touchscreen, let position = heard.gesture.position else { return nil }
    return try questions.zone(at: position)
  }

  /// Asks whether to grab a device that types, because other programs also receive its keys.
  private func takesDevice(_ device: PhysicalDevice, _ heard: DeviceListenerSet.Heard) throws -> Bool {
    let key = heard.gesture.key ?? heard.gesture.chord.first?.code
    guard let key, key != KeyCode.unknown, let name = EvdevKeys.name(of: key), name.hasPrefix("KEY_") else {
      return false
    }
    if case .used(let rule) = former.rule(for: heard.description), rule.grab { return false }
    return try questions.takesDevice(device, key: name)
  }

  /// Permits the gesture daemon's group to read the node: root can read every device, the daemon's user cannot.
  private func givePermission(_ node: DeviceNode) throws {
    guard ServiceProcess.user == 0, !UdevRule.areInstalled(for: [node]) else { return }
    do {
      let question =
        "You are root. Let the gesture daemon, which is of the group tallymark-input, read the device as well?"
      guard try questions.yes(question, enterMeans: true) else { return }
      try UdevRule.install(for: [node])
      say("The rule is in \(UdevRule.file).")
    } catch is Questions.NoAnswer {
      say("This would do it:\n  \(UdevRule.command(for: [node]))")
    } catch {
      say("\(error). This would do it:\n  \(UdevRule.command(for: [node]))")
    }
  }

  /// Undoes the counts of a gesture that was meant for `learn`: a gesture daemon counts the gesture, too, because
  /// devices keep counting during `learn`.
  private func takeBack(_ heard: DeviceListenerSet.Heard, from core: CoreKnowledge, after last: Int64) {
    let time = Clock.microsecondsSince1970() - (Clock.boottime() - heard.gesture.time) / 1000
    do {
      for count in try core.takeBackCounts(by: heard.node.name, after: last, in: time - 1_000_000...time + 3_000_000) {
        say("The gesture daemon counted it; that is taken back: \(count).")
      }
    } catch {
      say("The gesture daemon may have counted it, which could not be taken back: \(error)")
    }
  }

  /// Waits until the gesture is repeated: received here, or counted by a daemon that has grabbed the device.
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
    say("Try it: make the gesture again. (A running gesture daemon uses the binding in a moment, and counts it.)")
    let end = Clock.boottime() + Self.tryingTime
    while Clock.boottime() < end {
      if try !loop.runOnce(waiting: Self.turn) {
        // All ready events have been read, so no event older than this turn will follow.
        let now = Clock.boottime() - Int64(Self.turn) * 1000
        for listener in listeners where done == nil { done = bound[listener.node.syspath]?.advance(to: now).first }
      }
      if let done { return say("\(BindingText.sentence(done.gesture)) → \(done.action?.description ?? "nothing")") }
      for node in device.nodes {
        guard let last, let count = try core?.count(by: node.name, after: last) else { continue }
        return say("\(count.gesture) → \(count.counter) is \(count.value), counted by the gesture daemon")
      }
    }
    withExtendedLifetime(listeners) {}
    say("Nothing came within half a minute. tally-input monitor shows what arrives.")
  }

  private func lines(_ writer: BindingWriter, _ action: Action) -> String {
    writer.lines(action).map { "  " + $0 }.joined(separator: "\n")
  }

  private func say(_ text: String) { StandardOutput.line(text) }
}
