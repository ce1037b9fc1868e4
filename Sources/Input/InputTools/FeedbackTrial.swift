public import Bindings
import Feedback
import Gestures
import Glibc
import InputDaemon
import InputDevices
import Linux

/// `tally-input feedback`: plays all feedback of a device, and names the meaning of each signal.
public enum FeedbackTrial {
  /// The pause between two signals, in milliseconds.
  private static let pause: Int64 = 900

  /// Plays all signals once for each device.
  ///
  /// - Parameters:
  ///   - choice: the device that is assumed to make the gestures; without it, all devices that would be used.
  /// - Throws: a ``UsageError`` if there is no such device.
  public static func run(_ choice: DeviceChoice?, _ configuration: Configuration) throws -> Int32 {
    let nodes = try DeviceInventory().nodes()
    let devices =
      if let choice {
        try choice.found(among: nodes)
      } else {
        try DeviceReport.all(configuration).filter(\.isUsed).map(\.node)
      }
    let player = FeedbackPlayer(configuration.feedback)
    player.see(nodes, used: Set(devices.map(\.syspath)))
    defer { player.end(by: Clock.boottime() + 1_000_000_000) }
    // Devices that cannot be opened were reported before.
    usleep(300_000)
    var isSilent = true
    for (name, origin) in origins(devices) {
      for (title, signal) in signals(configuration.feedback.decisions) where player.reaches(signal, for: origin) {
        isSilent = false
        StandardOutput.line("\(name): \(title): \(signal.text)")
        player.play(signal, for: origin)
        usleep(UInt32(clamping: (signal.milliseconds + pause) * 1000))
      }
    }
    guard isSilent else { return 0 }
    ServiceProcess.log(
      .warning,
      """
      Nothing here gives feedback: no device that would be used has a motor, and the configuration names no motor, light \
      or sound that is there. tally-input devices shows which devices have one.
      """)
    return 1
  }

  /// The origins of gestures to try: the devices, or an origin without a device.
  private static func origins(_ devices: [DeviceNode]) -> [(name: String, syspath: String?)] {
    guard !devices.isEmpty else { return [("any device", nil)] }
    return devices.map { ($0.title, $0.syspath) }
  }

  /// All signals that the rules can play, with their meanings.
  private static func signals(_ rules: FeedbackRules) -> [(title: String, signal: Signal)] {
    var signals: [(String, Signal)] = []
    for event in FeedbackEvent.allCases where event != .boundary {
      signals.append((event.rawValue, rules.signal(for: [FeedbackRule(event).example])))
    }
    for rule in rules.rules where rule.counter != nil || rule.event == .boundary {
      let every = rule.every.map { " a multiple of \($0)" } ?? ""
      signals.append(
        (rule.event.rawValue + every + (rule.counter.map { " of \($0)" } ?? ""), rules.signal(for: [rule.example])))
    }
    return signals
  }
}

extension FeedbackRule {
  /// An outcome to which the rule applies.
  fileprivate var example: Outcome {
    switch event {
    case .boundary, .goal, .limited:
      Outcome(.added, counter: counter, value: every ?? 0, change: 1, marks: every == nil ? [event] : [])
    default: Outcome(event, counter: counter)
    }
  }
}

extension Signal {
  /// Describes the signals that are played.
  fileprivate var text: String {
    let rhythm = { (pattern: Pattern) in Rhythm(milliseconds: pattern.steps.map(\.milliseconds))?.description ?? "" }
    var parts: [String] = []
    if let vibration { parts.append("vibrates \(rhythm(vibration))") }
    if let light { parts.append("shines \(rhythm(light))") }
    if let tone { parts.append("plays \(tone.steps.map { String($0.level) }.joined(separator: ", ")) Hz") }
    if let sound { parts.append("sounds \(sound.rawValue)") }
    return parts.joined(separator: ", ")
  }

  fileprivate var milliseconds: Int64 {
    let lengths = [vibration, light, tone].compactMap { $0?.milliseconds }
    return max(lengths.max() ?? 0, sound.map { Int64(Waveform.samples(of: $0).count * 1000 / Waveform.rate) } ?? 0)
  }
}
