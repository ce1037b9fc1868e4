import Bindings
import Feedback
import InputDevices

extension FeedbackRule {
  /// The event and its signal in words: "added of people: vibrate double, sound thud".
  var text: String {
    var played: [String] = []
    func add(_ name: String, _ setting: Setting<some Equatable & Sendable>?) {
      switch setting {
      case .silence: played.append("no \(name)")
      case .play(let value): played.append("\(name) \(value)")
      case nil: break
      }
    }
    add("vibrate", vibrate)
    add("light", light)
    add("tone", tone)
    add("sound", sound)
    return "\(title): \(played.joined(separator: ", "))"
  }

  private var title: String {
    event.rawValue + (every.map { " of every \($0)" } ?? "") + (counter.map { " of \($0)" } ?? "")
  }
}

extension FeedbackSettings {
  /// One line for each feedback setting.
  var lines: [String] {
    var lines = rules.map { "feedback on \($0.text)" }
    if let motor { lines.append("the motor of \(motor) vibrates for devices without one") }
    switch light {
    case .own(let code): lines.append("the light is the device's \(EvdevNames.name(type: 0x11, code: code))")
    case .system(let pattern): lines.append("the light is \(SystemLight.folder)/\(pattern)")
    case nil: break
    }
    if speaker != Self.standardSpeaker { lines.append("\(speaker) buzzes for devices that cannot") }
    return lines
  }
}
