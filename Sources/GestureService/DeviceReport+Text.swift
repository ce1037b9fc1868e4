import Bindings
import Gestures
import InputDevices
import Varlink

extension DeviceReport {
  /// All reports in plain words, for a person.
  public static func text(_ reports: [DeviceReport]) -> String {
    guard !reports.isEmpty else {
      return "The kernel has no input devices here (nothing in /sys/class/input)."
    }
    return reports.map(\.text).joined(separator: "\n")
  }

  /// The device, and below it whether it is used and why, and what mends it.
  package var text: String {
    var head = "\(node.path)  \(name)  (\(node.description.isSensor ? sensor : identity))"
    if !feedback.isEmpty { head += "\n    can answer with \(feedback.map(\.rawValue).joined(separator: ", "))" }
    guard isWanted else { return "\(head)\n    not used: \(use)" }
    switch access {
    case .allowed: return "\(head)\n    used: \(use)"
    case .missing: return "\(head)\n    would be used (\(use)), but its node is missing"
    case .denied(let obstacle):
      return """
        \(head)
            would be used (\(use)), but may not be read:
            \(obstacle.reason)
            to mend it: \(obstacle.remedy)
        """
    }
  }

  /// One JSON object: `path`, `name`, `id`, `bus`, `phys`, `uniq`, `links`, the `label` of a motion sensor, `used`,
  /// `wanted`, `why`, `readable`, `feedback` (`vibration`, `light`, `tone`), and where it is not readable `problem` and
  /// `remedy`.
  public var json: String {
    var object: JSONObject = [
      "path": .string(node.path), "name": .string(node.description.name), "id": .string(identity),
      "bus": .int(Int64(node.description.bus)), "phys": .string(node.description.phys),
      "uniq": .string(node.description.uniq), "links": .array(node.links.map { .string($0) }),
      "used": .bool(isUsed), "wanted": .bool(isWanted), "why": .string("\(use)"),
      "readable": .bool(access == .allowed),
      "feedback": .array(feedback.map { .string($0.rawValue) }),
    ]
    if node.description.isSensor { object["label"] = .string(node.description.label) }
    switch access {
    case .allowed: break
    case .missing: object["problem"] = .string("The node \(node.path) is missing.")
    case .denied(let obstacle):
      object["problem"] = .string(obstacle.reason)
      object["remedy"] = .string(obstacle.remedy)
    }
    return object.description
  }

  /// What it can answer a gesture with.
  private var feedback: [Channel] { Channel.allCases.filter { node.can($0, .standard) } }

  /// Devices name themselves; a terminal must not be told what to do by one.
  private var name: String { CauseText.device(node.description.name) }

  /// What it is and where it sits.
  private var sensor: String {
    node.description.label.isEmpty ? "motion sensor" : "motion sensor, \(CauseText.device(node.description.label))"
  }

  /// Vendor and product as `lsusb` writes them: `0c45:7403`.
  private var identity: String {
    "\(hexadecimal(node.description.vendor)):\(hexadecimal(node.description.product))"
  }
}
