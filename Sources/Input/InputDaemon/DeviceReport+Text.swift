import Bindings
import Gestures
import InputDevices
import JSON

extension DeviceReport {
  /// All reports as text for a person.
  public static func text(_ reports: [DeviceReport]) -> String {
    guard !reports.isEmpty else {
      return "The kernel has no input devices here (nothing in /sys/class/input)."
    }
    return reports.map(\.text).joined(separator: "\n")
  }

  /// The device. Below it: whether the device is used, the reason, and the remedy for a problem.
  package var text: String {
    var head = "\(node.path)  \(name)  (\(node.description.isSensor ? sensor : identity))"
    if !feedback.isEmpty { head += "\n    can answer with \(feedback.map(\.rawValue).joined(separator: ", "))" }
    guard isWanted else {
      return "\(head)\n    not used: \(use)" + (suggestion.map { "\n    to count with it: \($0)" } ?? "")
    }
    switch access {
    case .allowed:
      let touched = contacts.map {
        "\n    there is a contact \($0.words) now; if nobody touches it there, the surface is dirty or broken, or never says that a finger lifts"
      }
      let dropped = ignored.isEmpty ? "" : "\n    ignored since tally-inputd opened it: \(ignored.words)"
      return "\(head)\n    used: \(use)\(touched.joined())\(ghost.map { "\n    \($0)" } ?? "")\(dropped)"
    case .missing: return "\(head)\n    would be used (\(use)), but its node is missing"
    case .denied(let denial):
      return """
        \(head)
            would be used (\(use)), but may not be read:
            \(denial.reason)
            to fix it: \(denial.remedy)
        """
    }
  }

  /// One JSON object with `path`, `name`, `id`, `bus`, `phys`, `uniq`, `links`, the `label` of a motion sensor, `used`,
  /// `wanted`, `why`, `readable`, `feedback` (`vibration`, `light`, `tone`), the positions of the present `contacts` on
  /// its touch surface, the `fault` of a contact outside of the surface, the numbers of `ignored` strokes (`bounced`,
  /// `typed`), if any, and the `problem` of a wanted but unreadable device. `remedy` is the solution of the problem, or
  /// the command that enables the device.
  public var json: String {
    var object: JSONObject = [
      "path": .string(node.path), "name": .string(node.description.name), "id": .string(identity),
      "bus": .int(Int64(node.description.bus)), "phys": .string(node.description.phys),
      "uniq": .string(node.description.uniq), "links": .array(node.links.map { .string($0) }),
      "used": .bool(isUsed), "wanted": .bool(isWanted), "why": .string("\(use)"),
      "readable": .bool(access == .allowed),
      "feedback": .array(feedback.map { .string($0.rawValue) }),
    ]
    if let ghost { object["fault"] = .string(ghost.description) }
    if !contacts.isEmpty { object["contacts"] = .array(contacts.map { .string($0.words) }) }
    if !ignored.isEmpty {
      object["ignored"] = .object(["bounced": .int(Int64(ignored.bounced)), "typed": .int(Int64(ignored.typed))])
    }
    if node.description.isSensor { object["label"] = .string(node.description.label) }
    if let suggestion { object["remedy"] = .string(suggestion) }
    switch access {
    case _ where !isWanted: break
    case .allowed: break
    case .missing: object["problem"] = .string("The node \(node.path) is missing.")
    case .denied(let denial):
      object["problem"] = .string(denial.reason)
      object["remedy"] = .string(denial.remedy)
    }
    return object.description
  }

  /// The kinds of feedback that the device has.
  private var feedback: [Channel] { Channel.allCases.filter { node.can($0, .standard) } }

  private var name: String { node.name }

  /// The kind and the place of the sensor.
  private var sensor: String {
    node.description.label.isEmpty ? "motion sensor" : "motion sensor, \(CauseLabel.device(node.description.label))"
  }

  /// Vendor and product as in the output of `lsusb`: `0c45:7403`.
  private var identity: String {
    "\(hexadecimal(node.description.vendor)):\(hexadecimal(node.description.product))"
  }
}
