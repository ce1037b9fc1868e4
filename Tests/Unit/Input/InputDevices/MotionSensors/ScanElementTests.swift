import InputDevices
import Testing

/// How channels lie in what a buffer gives.
@Suite struct ScanElementTests {
  /// What a scan with one channel of this layout says.
  private func value(_ type: String, _ bytes: [UInt8]) throws -> Int64? {
    let layout = try ScanLayout([.init(name: "in_accel_x", index: 0, element: ScanElement(type))])
    #expect(layout.byteCount == bytes.count)
    return layout.number("in_accel_x")?.value(in: bytes, scanAt: 0)
  }

  static let values: [(type: String, bytes: [UInt8], value: Int64)] = [
    ("le:s32/32>>0", [0xff, 0xff, 0xff, 0xff], -1),
    ("le:s32/32", [0x00, 0x00, 0x00, 0x80], -2_147_483_648),
    ("le:s12/16>>4", [0xf0, 0x7f], 2047),
    ("le:s12/16>>4", [0x0f, 0x80], -2048),
    ("be:s12/16>>4", [0x80, 0x0f], -2048),
    ("be:s16/16>>0", [0x01, 0x02], 258),
    ("le:u16/16>>0", [0xff, 0xff], 65535),
    ("le:u10/16>>0", [0xff, 0xff], 1023),
    ("le:s10/16>>0", [0xff, 0xff], -1),
    ("le:s8/8>>0", [0x80], -128),
    ("be:s20/24>>4", [0x80, 0x00, 0x0f], -524_288),
    ("le:s20/32>>12", [0xff, 0x0f, 0x00, 0x40], 262_144),
    ("le:s64/64>>0", [0, 0, 0, 0, 0, 0, 0, 0x80], .min),
    ("le:u64/64>>0", [1, 0, 0, 0, 0, 0, 0, 0], 1),
    ("le:s1/8>>0", [0x01], -1),
  ]

  @Test(arguments: values) func `order, sign, width, storage and shift are heeded`(
    type: String, bytes: [UInt8], expected: Int64
  ) throws {
    #expect(try value(type, bytes) == expected)
  }

  @Test(
    arguments: [
      "", "le:", "le:s12/16>>", "le:s12/16>>4 ", "me:s12/16>>4", "le:x12/16>>4", "le:s0/16>>0", "le:s17/16>>0",
      "le:s12/16>>5", "le:s12/15>>0", "le:s12/0>>0", "le:s-1/16>>0", "le:s999999999999999999999/16>>0",
      "le:s16/16X>>0", "le:s16/16X99999>>0", "le:f32/32>>0", "le:s300/512>>0", "le:s１2/16>>4",
    ]) func `what makes no sense is refused`(text: String)
  {
    #expect(throws: ScanElement.Problem.self) { try ScanElement(text) }
  }

  @Test func `a number that is cut off or repeated is none`() throws {
    let layout = try ScanLayout([.init(name: "q", index: 0, element: ScanElement("le:s32/32X4>>0"))])
    #expect(layout.byteCount == 16)
    #expect(layout.number("q") == nil)
    let number = try ScanLayout([.init(name: "x", index: 0, element: ScanElement("le:s16/16"))]).number("x")
    for start in [-1, 1, 2, 3, .max] { #expect(number?.value(in: [1, 2], scanAt: start) == nil) }
  }
}
