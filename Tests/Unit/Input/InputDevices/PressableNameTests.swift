import InputDevices
import Testing

struct PressableNameTests {
  @Test(arguments: ["KEY_B", "BTN_LEFT", "SW_LID", "HAT_UP", "HAT3_RIGHT", "STICK_DOWN"])
  func `whatever can be pressed has a name, and the name its code`(name: String) {
    let code = EvdevKeys.code(of: name)
    #expect(code.flatMap(EvdevKeys.name(of:)) == name)
    #expect(EvdevKeys.names.contains(name))
  }

  @Test(arguments: [0x2f0, 0x300, 0x3ff, 0x4ff, 0x600, 0xffff] as [UInt16])
  func `a code without a name has none`(code: UInt16) { #expect(EvdevKeys.name(of: code) == nil) }

  @Test func `what is no name has no code`() {
    for name in ["", "KEY_", "REL_X", "ABS_X", "up"] { #expect(EvdevKeys.code(of: name) == nil) }
  }
}
