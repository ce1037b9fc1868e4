import Foundation
import Gestures
import InputDaemon
import InputDevices
import InputTools
import Linux
import TestKit
import Testing

/// The rule that `learn` and `use` write matches one device, and none like it.
struct UdevRuleTests {
  private func node(
    _ name: String, bus: UInt16 = 3, _ vendor: UInt16 = 0x0c45, _ product: UInt16 = 0x7403, phys: String = "",
    uniq: String = "", path: String? = nil
  ) -> DeviceNode {
    let description = DeviceDescription(
      name: name, bus: bus, vendor: vendor, product: product, phys: phys, uniq: uniq, codes: [1: [48]])
    return DeviceNode(
      syspath: "/sys/nowhere", path: "/dev/input/event1", description: description,
      properties: path.map { ["ID_PATH": $0] } ?? [:])
  }

  @Test func `no program that a rule runs as root has the name of a device in its text`() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = (0..<5).reduce(here) { folder, _ in folder.deletingLastPathComponent() }
    let rules = try String(contentsOf: root.appending(path: "udev/70-tallymark.rules"), encoding: .utf8)
    let commands = rules.split(separator: "RUN+=\"").dropFirst().compactMap { $0.split(separator: "\"").first }
    #expect(commands.count == 2)
    for command in commands {
      // Anything but a doubled sign is replaced by udev.
      let text = command.replacing("$$", with: "")
      #expect(!text.contains("$") && !text.contains("%"), "\(command)")
      let script = command.replacing("$$", with: "$").split(separator: "'")[1]
      let folder = TemporaryFolder()
      for name in ["/a; touch made", "/$(touch made)", "/a\ntouch made", "/*", "/. made", "/a' touch made"] {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", String(script)]
        shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        shell.environment = ["DEVPATH": name, "PATH": "/usr/bin:/bin"]
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
      }
    }
  }

  @Test func `a rule names the bus, the id, the name and the place, and lets the group read only`() {
    let line = UdevRule.line(for: node("RDing FootSwitch1F1.", path: "pci-0000:00:14.0-usb-0:2:1.0"))
    #expect(
      line == """
        SUBSYSTEM=="input", KERNEL=="event*", ATTRS{id/bustype}=="0003", ATTRS{id/vendor}=="0c45", \
        ATTRS{id/product}=="7403", ATTRS{name}=="RDing FootSwitch1F1.", \
        ENV{ID_PATH}=="pci-0000:00:14.0-usb-0:2:1.0", \
        ENV{TALLYMARK_KIND}="named", GROUP="tallymark-input", MODE="0640"
        """)
  }

  @Test func `a volume rocker's rule does not mean the built-in keyboard, which has the same id`() {
    let rocker = UdevRule.line(
      for: node("gpio-keys", bus: 0x19, 1, 1, phys: "gpio-keys/input0", path: "platform-gpio-keys"))
    #expect(rocker.contains("ATTRS{id/bustype}==\"0019\""))
    #expect(rocker.contains("ATTRS{name}==\"gpio-keys\""))
    #expect(rocker.contains("ENV{ID_PATH}==\"platform-gpio-keys\""))
  }

  @Test func `a serial number or a Bluetooth address goes before the place`() {
    let line = UdevRule.line(for: node("AB Shutter3", bus: 5, phys: "00:11", uniq: "aa:bb:cc", path: "x"))
    #expect(line.contains("ATTRS{uniq}==\"aa:bb:cc\""))
    #expect(!line.contains("ID_PATH"))
  }

  @Test(arguments: ["Bob's Pedal", "a\"b", "péd*l", "p?", "[x]", "a|b", "$(x)", "%k", "\\", "a\nb", "`id`"])
  func `a name with special characters is left out, never replaced by a wildcard`(name: String) {
    let line = UdevRule.line(for: node(name, path: "pci-1"))
    #expect(!line.contains("ATTRS{name}"))
    let matched = line.replacing("event*", with: "")
    #expect(!matched.contains { "?*'|`\\\n".contains($0) }, "\(line)")
    #expect(line.contains("ENV{ID_PATH}==\"pci-1\""))
  }

  @Test func `a virtual device without serial number and place is told by bus, id and name`() {
    let line = UdevRule.line(for: node("my pedal", bus: 6, 0, 0))
    #expect(line.contains("ATTRS{id/bustype}==\"0006\"") && line.contains("ATTRS{name}==\"my pedal\""))
    #expect(!line.contains("DEVPATH"))
  }

  @Test func `a device of which not even the name can be matched is told by its path, never by its kind`() throws {
    // Its modalias says what it can send, which others can send, too.
    let folder = TemporaryFolder()
    try FileContent.replace("\(folder.path)/device/modalias", with: Array("input:b0006v0000-e0,1,k30".utf8))
    let description = DeviceDescription(name: "p*", bus: 6, codes: [1: [48]])
    let node = DeviceNode(syspath: folder.path, path: "/dev/input/event1", description: description)
    #expect(UdevRule.line(for: node).contains("DEVPATH==\""))
  }

  @Test func `the command puts each rule into quotes`() {
    let command = UdevRule.command(for: [node("One", path: "a"), node("Two", path: "b")])
    #expect(command.hasPrefix("printf '%s\\n' 'SUBSYSTEM=="))
    #expect(command.contains("' 'SUBSYSTEM=="))
  }
}
