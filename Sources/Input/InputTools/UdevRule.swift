import Gestures
import Glibc
import InputDaemon
package import InputDevices
import Linux
import Tallymark

/// The udev rule that lets the gesture daemon's group read one node of one device.
///
/// `70-tallymark.rules`, which udev reads afterwards, adds the right to write if the node has a motor or lights and no
/// keys. Only the group gets access: the tag `uaccess` would let every program of the person at the machine inject
/// events.
package enum UdevRule {
  /// One line for a file of udev's rules: matches the bus, the identity, the name, and the serial number or the port.
  ///
  /// An identity alone is a class of devices: 0001:0001 is a volume rocker and the built-in keyboard.
  package static func line(for node: DeviceNode) -> String {
    let match = ["SUBSYSTEM==\"input\"", "KERNEL==\"event*\""] + marks(of: node)
    let grant = ["ENV{TALLYMARK_KIND}=\"named\"", "GROUP=\"tallymark-input\"", "MODE=\"0640\""]
    return (match + grant).joined(separator: ", ")
  }

  /// The file with these rules. udev reads files in the order of their names: this one comes before
  /// 70-tallymark.rules.
  package static let file = "/etc/udev/rules.d/70-tallymark-learned.rules"

  /// Whether the rules of all nodes are written already.
  package static func areInstalled(for nodes: [DeviceNode]) -> Bool {
    let lines = lines
    return nodes.allSatisfy { lines.contains(line(for: $0)) }
  }

  /// Writes the rules and makes udev apply them; needs root.
  ///
  /// - Throws: a `SystemError` if the file cannot be written, or udevadm fails.
  package static func install(for nodes: [DeviceNode]) throws {
    let former = lines
    let text = (former + nodes.map(line).filter { !former.contains($0) }).joined(separator: "\n") + "\n"
    try FileContent.replace(file, with: Array(text.utf8))
    for arguments in [["control", "--reload"], ["trigger", "--subsystem-match=input", "--action=change", "--settle"]] {
      try ServiceProcess.run("udevadm", arguments)
    }
  }

  /// The rules in the file.
  private static var lines: [String] {
    let bytes = (try? FileContent.read(file, upTo: 1 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The shell command that writes and applies the rules for these nodes.
  package static func command(for nodes: [DeviceNode]) -> String {
    let words = nodes.map { Remedy.word(line(for: $0)) }.joined(separator: " ")
    return "printf '%s\\n' \(words) | sudo tee -a \(file) && \(DeviceRules.apply)"
  }

  private static func marks(of node: DeviceNode) -> [String] {
    let description = node.description
    var marks = [
      "ATTRS{id/bustype}==\"\(hexadecimal(description.bus))\"",
      "ATTRS{id/vendor}==\"\(hexadecimal(description.vendor))\"",
      "ATTRS{id/product}==\"\(hexadecimal(description.product))\"",
    ]
    if let name = exact(description.name) {
      marks.append("ATTRS{name}==\"\(name)\"")
    } else if let alias = exact(Sysfs.read(node.syspath + "/device/modalias") ?? "") {
      // The alias lists everything that the device can send.
      marks.append("ATTRS{modalias}==\"\(alias)\"")
    }
    if let uniq = exact(description.uniq) {
      marks.append("ATTRS{uniq}==\"\(uniq)\"")
      // The interfaces of one device have the same serial number, and one of them may be a keyboard.
      if let interface = exact(node.properties["ID_USB_INTERFACE_NUM"] ?? "") {
        marks.append("ENV{ID_USB_INTERFACE_NUM}==\"\(interface)\"")
      }
    } else if let path = exact(node.properties["ID_PATH"] ?? "") {
      marks.append("ENV{ID_PATH}==\"\(path)\"")
    } else if let phys = exact(description.phys) {
      marks.append("ATTRS{phys}==\"\(phys)\"")
    } else if exact(description.name) == nil {
      // The device has nothing else to match by, not even a name. The kernel never assigns this path to another device
      // before a reboot. A virtual device that has a name gets another path each time it is created: its rule uses bus,
      // ID and name.
      marks.append("DEVPATH==\"\(exact(String(node.syspath.dropFirst("/sys".utf8.count))) ?? "none")\"")
    }
    return marks
  }

  /// The text, if a rule and a shell interpret each character of it literally; else nil. A wildcard in place of such a
  /// character would match other devices.
  private static func exact(_ text: String) -> String? {
    let special: Set<Character> = ["\"", "'", "\\", "*", "?", "[", "]", "|", "$", "%", "`"]
    let isExact = text.allSatisfy { $0.isASCII && $0 >= " " && $0 != "\u{7f}" && !special.contains($0) }
    return isExact && !text.isEmpty ? text : nil
  }
}
