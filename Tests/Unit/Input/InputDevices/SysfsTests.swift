import InputDevices
import Tallymark
import Testing

struct SysfsTests {
  @Test(
    arguments: [
      ("", []), ("0", []), ("1", [0]), ("120013", [0, 1, 4, 17, 20]), ("1000000000000 0 2", [1, 176]), ("nonsense", []),
      ("3 ffffffffffffffff1", []),
    ] as [(String, Set<UInt16>)])
  func `a bit map is read highest word first`(text: String, bits: Set<UInt16>) {
    #expect(Sysfs.bits(text) == bits)
  }

  @Test func `a map that names more than can be is cut`() {
    let words = Array(repeating: "8000000000000000", count: 2000).joined(separator: " ")
    #expect(Sysfs.bits(words).count == 1024)
  }

  @Test func `what is not there is nothing`() {
    #expect(Sysfs.read("/nowhere/at/all") == nil)
  }
}

struct EvdevKeysTests {
  @Test func `names and codes of keys and buttons are the kernel's`() {
    #expect(EvdevKeys.code(of: "KEY_B") == 48)
    #expect(EvdevKeys.code(of: "BTN_LEFT") == 0x110)
    #expect(EvdevKeys.code(of: "KEY_NONSENSE") == nil)
    #expect(EvdevKeys.code(of: "ABS_X") == nil)
    #expect(EvdevKeys.name(of: 48) == "KEY_B")
    #expect(EvdevKeys.name(of: 0xffff) == nil)
  }
}

struct NodeAccessTests {
  typealias Denial = NodeAccess.Denial

  private func denial(mode: UInt32, group: String = "input", isIn: Bool = false, isListed: Bool = false) -> Denial {
    Denial(path: "/dev/input/event5", mode: mode, group: group, isInGroup: isIn, isListedInGroup: isListed)
  }

  @Test func `somebody outside the group is told to join it`() {
    let outside = denial(mode: 0o660)
    #expect(outside.reason == "The group input may read /dev/input/event5, and this user is not in it.")
    #expect(outside.remedy.hasPrefix("sudo usermod -aG input \"$USER\""))
  }

  @Test func `somebody who joined since logging in is told to log in again`() {
    #expect(denial(mode: 0o660, isListed: true).remedy.hasPrefix("log out and in again"))
  }

  @Test func `a node that its group may not read needs a rule`() {
    let closed = denial(mode: 0o600)
    #expect(closed.reason.contains("mode 0600"))
    #expect(closed.remedy.hasPrefix(DeviceRules.remedy().command))
    #expect(denial(mode: 0o660, group: "root").remedy == closed.remedy)
  }

  @Test func `a file that is not there is missing`() {
    #expect(NodeAccess(of: "/dev/input/event-none") == .missing)
    #expect(NodeAccess(of: "/dev/null") == .allowed)
  }
}
