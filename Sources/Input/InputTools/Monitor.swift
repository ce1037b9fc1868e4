public import Bindings
import Gestures
import Glibc
import InputDaemon
import InputDevices
import Linux

/// `tally-input monitor`: shows live the reports of devices and the recognised gestures, and how to bind these.
public final class Monitor {
  private let configuration: Configuration
  private let loop: EventLoop
  private var devices: [PhysicalDevice]
  private var watcher: DeviceWatcher?
  private let relay: RelayClient
  private var listening: DeviceListenerSet?
  private var texts: [String: FrameText] = [:]
  private var motion: [String: MotionMonitor] = [:]
  /// The bindings that were shown already.
  private var shown: Set<String> = []

  public init(_ configuration: Configuration) throws {
    self.configuration = configuration
    loop = try EventLoop()
    relay = try RelayClient(loop: loop) { StandardOutput.line($0) }
    devices = PhysicalDevice.all(try DeviceInventory().nodes())
  }

  /// Shows reports until the program is ended.
  ///
  /// - Parameter choice: the devices to show; nil for all except keyboards, whose typing is private, and motion
  ///   sensors, which cost power.
  public func run(_ choice: DeviceChoice?) throws {
    ServiceProcess.ignoreWriteSignals()
    let ends = try [SIGINT, SIGTERM, SIGHUP].map { signal in try loop.onSignal(signal) { [loop] in loop.exit() } }
    if let choice { _ = try choice.found(among: devices.flatMap(\.nodes)) }
    let nodes = wanted(choice, saysWhatIsLeftOut: true)
    let listening = try DeviceListenerSet(
      loop: loop, configuration: configuration, relay: relay,
      onFrame: { [unowned self] node, frame in
        for line in texts[node.syspath]?.lines(frame) ?? [] { say("\(node.label): \(line)") }
      }, onHeard: { [unowned self] in show($0) },
      onReport: { [unowned self] node, report in say("\(node.label): \(report.sentence)") },
      onEnd: { [unowned self] node, reason in
        texts[node.syspath] = nil
        say("\(node.label): \(reason)")
      })
    self.listening = listening
    listen(to: nodes)
    try relay.waitForReports()
    listening.listeners.forEach(warnIfTaken)
    for node in listening.denied {
      guard case .denied(let denial) = NodeAccess(of: node.path) else { continue }
      say("\(node.label) may not be read. \(denial.reason) To mend it: \(denial.remedy)")
    }
    guard choice == nil || !listening.listeners.isEmpty || !motion.isEmpty else { throw NothingToShow() }
    if listening.listeners.isEmpty, motion.isEmpty {
      say("There is no device to listen to yet. tally-input devices lists what there is.")
    }
    watcher = try DeviceWatcher(loop: loop) { [unowned self] nodes in
      devices = PhysicalDevice.all(nodes)
      listen(to: wanted(choice, saysWhatIsLeftOut: false))
    }
    _ = try withExtendedLifetime(ends) { try loop.run() }
  }

  private func listen(to nodes: [DeviceNode]) {
    listening?.listen(to: nodes.filter { !$0.description.isAccelerometer })
    for node in nodes where node.description.isAccelerometer { follow(node) }
    for listener in listening?.listeners ?? [] where texts[listener.node.syspath] == nil {
      texts[listener.node.syspath] = FrameText(listener.device.description)
      say("Listening to \(listener.node.label): \(listener.node.name).")
      for warning in configuration.preview(of: listener.device.description).warnings {
        say("\(listener.node.label): \(warning).")
      }
    }
  }

  private func follow(_ node: DeviceNode) {
    guard motion[node.syspath] == nil else { return }
    do {
      motion[node.syspath] = try MotionMonitor(
        loop: loop, node: node, rule: configuration.preview(of: node.description),
        onLine: { [unowned self] in say("\(node.label): \($0)") },
        onEnd: { [unowned self] reason in
          motion[node.syspath] = nil
          say("\(node.label): \(reason)")
        })
      say("Listening to \(node.label): \(node.name).")
    } catch {
      say("\(node.label) cannot be listened to: \(error)")
    }
  }

  /// There is no device to show.
  public struct NothingToShow: Error, CustomStringConvertible {
    public let description = "There is no device that could be listened to; tally-input devices lists what there is."
  }

  private func wanted(_ choice: DeviceChoice?, saysWhatIsLeftOut: Bool) -> [DeviceNode] {
    let every = devices.flatMap(\.nodes)
    let all = choice == nil ? every.filter { !$0.description.isAccelerometer } : every
    if let choice {
      let chosen = choice.nodes(among: all)
      if choice.isPath { return chosen }
      return devices.filter { device in device.nodes.contains(where: chosen.contains) }.flatMap(\.nodes)
    }
    let quiet = all.filter { node in
      if case .used = configuration.use(of: node) { return false }
      return node.description.deviceClass == .keyboard
    }
    for node in quiet where saysWhatIsLeftOut {
      say("Not listening to the keyboard \(node.label) (\(node.name)): name it for that.")
    }
    return all.filter { !quiet.contains($0) }
  }

  /// Warns if another program has grabbed a device and relays nothing. Tests only devices that the configuration grabs.
  private func warnIfTaken(_ listener: DeviceListener) {
    guard case .used(let rule) = configuration.rule(for: listener.device.description), rule.grab,
      let sentence = listener.silence()
    else { return }
    say(sentence)
  }

  private func show(_ heard: DeviceListenerSet.Heard) {
    let rule = configuration.preview(of: heard.description)
    let isUsed = if case .used = configuration.rule(for: heard.description) { true } else { false }
    let action = isUsed ? rule.action(for: heard.gesture) : nil
    let result = action.map { " → \($0)" } ?? ", bound to nothing"
    say("\(heard.node.label): \(BindingText.sentence(heard.gesture))\(result)")
    guard let device = devices.first(where: { $0.has(heard.node) }) else { return }
    let text = BindingText.advice(heard.gesture, of: device, heard.description, among: devices, by: rule).map {
      "    " + $0
    }
    .joined(separator: "\n")
    if shown.insert(text).inserted { say(text) }
  }

  private func say(_ line: String) { StandardOutput.line(line) }
}
