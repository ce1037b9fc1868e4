// Configurations as a person may write them. The input is the text of one.
import Bindings
import Gestures
import Toml

/// Devices of each kind that rules are looked for.
private let devices = [
  DeviceDescription(name: "RDing FootSwitch1F1.", bus: 3, vendor: 0x0c45, product: 0x7403, codes: [1: Set(1...255)]),
  DeviceDescription(
    name: "screen", bus: 5, uniq: "00:11:22:33:44:55", properties: [1],
    codes: [1: [0x14a], 3: [0x2f, 0x35, 0x36, 0x39]],
    axes: [
      0x2f: .init(minimum: 0, maximum: 9), 0x35: .init(minimum: 0, maximum: 4095),
      0x36: .init(minimum: 0, maximum: 4095),
    ]),
  DeviceDescription(name: "", codes: [1: [0x110], 2: [0, 1, 8]]),
]

private let keys = KeyNames(
  code: { ["KEY_B": 48, "KEY_A": 30, "KEY_PAGEDOWN": 109, "BTN_LEFT": 0x110][$0] }, known: ["KEY_B", "KEY_A"])

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do throws(ConfigurationErrors) {
    let text = Array(UnsafeBufferPointer(start: bytes, count: count))
    let configuration = try Configuration(text, file: "input.toml", keys: keys)
    for device in devices { _ = configuration.rule(for: device) }
  } catch {
    demandReasons(error)
  }
  return 0
}
