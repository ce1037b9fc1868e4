import InputDevices
import Testing

/// Whole scans, and what they mean.
@Suite struct ScanLayoutTests {
  private func channels(_ list: [(String, Int, String)]) throws -> [ScanLayout.Channel] {
    try list.map { .init(name: $0, index: $1, element: try ScanElement($2)) }
  }

  private let scale = AxisScale(scale: "0.5", offset: nil)

  @Test func `a stamp lies behind the axes, aligned to its own size`() throws {
    // A HID sensor's scan: three numbers of 4 bytes, 4 to fill up, and the stamp.
    let layout = try ScanLayout(
      channels([
        ("in_timestamp", 3, "le:s64/64>>0"), ("in_accel_z", 2, "le:s32/32>>0"), ("in_accel_x", 0, "le:s32/32>>0"),
        ("in_accel_y", 1, "le:s32/32>>0"),
      ]))
    #expect(layout.byteCount == 24)
    #expect(layout.timestamp?.offset == 16)
    #expect(["x", "y", "z"].map { layout.number("in_accel_\($0)")?.offset } == [0, 4, 8])
  }

  @Test func `order is that of the indices, and each is aligned to its own size`() throws {
    let layout = try ScanLayout(
      channels([
        ("in_accel_x", 2, "le:s16/16>>0"), ("in_accel_y", 0, "le:s16/16>>0"), ("in_temp", 1, "le:s32/32>>0"),
        ("in_accel_z", 5, "le:s8/8>>0"),
      ]))
    #expect(layout.number("in_accel_y")?.offset == 0)
    #expect(layout.number("in_temp")?.offset == 4)
    #expect(layout.number("in_accel_x")?.offset == 8)
    #expect(layout.number("in_accel_z")?.offset == 10)
    #expect(layout.byteCount == 12)
  }

  @Test func `a repeated channel is aligned to all of it`() throws {
    let layout = try ScanLayout(
      channels([("in_accel_x", 0, "le:s16/16>>0"), ("in_rot", 1, "le:s32/32X4>>0"), ("in_accel_y", 2, "le:s16/16>>0")]))
    #expect(layout.number("in_accel_y")?.offset == 32)
    #expect(layout.byteCount == 48)
  }

  @Test func `what makes no sense is refused`() throws {
    let x = ("in_accel_x", 0, "le:s16/16>>0")
    for list in [[], [x, x], [x, ("in_accel_y", 0, "le:s16/16>>0")], [x, ("in_accel_x", 1, "le:s16/16>>0")]] {
      #expect(throws: ScanElement.Problem.self) { try ScanLayout(channels(list)) }
    }
    let many = try channels((0..<65).map { ("c\($0)", $0, "le:s16/16>>0") })
    #expect(throws: ScanElement.Problem.self) { try ScanLayout(many) }
    let long = try channels((0..<4).map { ("c\($0)", $0, "le:s8/256X64>>0") })
    #expect(throws: ScanElement.Problem.self) { try ScanLayout(long) }
  }

  @Test func `readings become m/s² by offset and scale`() throws {
    let layout = try ScanLayout(
      channels([
        ("in_accel_x", 0, "le:s16/16>>0"), ("in_accel_y", 1, "be:s16/16>>0"), ("in_accel_z", 2, "le:s12/16>>4"),
        ("in_timestamp", 3, "le:s64/64>>0"),
      ]))
    let scales = try [
      #require(AxisScale(scale: "0.5", offset: nil)), #require(AxisScale(scale: "2", offset: "-10")),
      #require(AxisScale(scale: "-1", offset: "0")),
    ]
    let format = try AccelerationFormat(layout: layout, scales: scales)
    var bytes: [UInt8] = [0x10, 0, 0, 0x14, 0xf0, 0xff, 0, 0] + [1, 2, 0, 0, 0, 0, 0, 0]
    let scan = try #require(format.scan(in: bytes, at: 0))
    #expect(scan == (513, 8, 20, 1))
    bytes.removeLast()
    #expect(format.scan(in: bytes, at: 0)?.stamp == nil)
  }

  @Test func `a format needs all three axes`() throws {
    let scale = try #require(scale)
    let layout = try ScanLayout(channels([("in_accel_x", 0, "le:s16/16>>0"), ("in_accel_y", 1, "le:s16/16>>0")]))
    #expect(throws: ScanElement.Problem.self) {
      try AccelerationFormat(layout: layout, scales: [scale, scale, scale])
    }
  }

  @Test(arguments: [nil, "", "0", "-0.0", "nan", "inf", "much"] as [String?])
  func `without a scale nothing is known`(text: String?) { #expect(AxisScale(scale: text, offset: nil) == nil) }
}
