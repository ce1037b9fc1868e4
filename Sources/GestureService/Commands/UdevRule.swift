import Gestures
import Glibc
package import InputDevices
import Platform

/// The rule that lets the person at the machine and the gesture daemon's group use a device.
package enum UdevRule {
  /// One line for a file of udev's rules.
  package static func line(for device: PhysicalDevice) -> String {
    let rights = "GROUP=\"tallymark-input\", MODE=\"0660\", TAG+=\"uaccess\""
    return (["SUBSYSTEM==\"input\", KERNEL==\"event*\""] + marks(of: device) + [rights]).joined(separator: ", ")
  }

  /// Where learnt rules are written. The number is below 73 because systemd's 73-seat-late.rules carries out what the tag
  /// asks for.
  package static let file = "/etc/udev/rules.d/70-tallymark-learned.rules"

  /// Whether the rule is written already.
  package static func isInstalled(for device: PhysicalDevice) -> Bool {
    lines.contains { $0 == line(for: device) }
  }

  /// Writes the rule and has udev apply it, as root can.
  ///
  /// - Throws: a `SystemError` where the file cannot be written, or udev does not do as it is told.
  package static func install(for device: PhysicalDevice) throws {
    let text = (lines + [line(for: device)]).joined(separator: "\n") + "\n"
    try FileContent.replace(file, with: Array(text.utf8))
    for arguments in [["control", "--reload"], ["trigger", "--subsystem-match=input", "--action=change", "--settle"]] {
      try ServiceProcess.run("udevadm", arguments)
    }
  }

  /// The rules that were learnt so far.
  private static var lines: [String] {
    let bytes = (try? FileContent.read(file, upTo: 1 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The command that does the same.
  package static func command(for device: PhysicalDevice) -> String {
    "echo '\(line(for: device))' | sudo tee -a \(file) && \(DeviceRules.apply)"
  }

  private static func marks(of device: PhysicalDevice) -> [String] {
    guard let description = device.nodes.first?.description else { return [] }
    if description.bus == 5, !description.uniq.isEmpty { return ["ATTRS{uniq}==\"\(plain(description.uniq))\""] }
    guard description.vendor != 0 || description.product != 0 else {
      return ["ATTRS{name}==\"\(plain(description.name))\""]
    }
    return [
      "ATTRS{id/vendor}==\"\(hexadecimal(description.vendor))\"",
      "ATTRS{id/product}==\"\(hexadecimal(description.product))\"",
    ]
  }

  /// What means something to udev or to a shell is left open: `?` stands for any character.
  private static func plain(_ text: String) -> String {
    let special: Set<Character> = ["\"", "'", "\\", "*", "?", "[", "]", "|", "$", "%", "`"]
    return String(text.map { special.contains($0) || !$0.isASCII || $0 < " " ? "?" : $0 })
  }
}
