import Gestures
import Linux
import TestKit
import Testing

@testable import InputDevices

/// The size of a display by its EDID, as `/sys/class/drm` has it.
struct ConnectedDisplayTests {
  /// The first block of a 24-inch monitor of 53 by 30 cm, with its checksum.
  private static func edid(width: UInt8 = 53, height: UInt8 = 30) -> [UInt8] {
    var block: [UInt8] = [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]
    // Maker, product, serial number, week and year; version 1.3; digital input; size; gamma; features.
    block += [0x10, 0xac, 0x7b, 0xa0, 0x4c, 0x34, 0x35, 0x30, 0x1c, 0x17, 1, 3, 0x80, width, height, 0x78, 0xea]
    // Chromaticity and standard timings.
    block += [0xee, 0x95, 0xa3, 0x54, 0x4c, 0x99, 0x26, 0x0f, 0x50, 0x54, 0xa5, 0x4b, 0, 0x71, 0x4f, 0x81, 0x80]
    // A detailed timing of 1920 by 1080, 531 by 299 mm.
    block += [UInt8](repeating: 1, count: 54 - block.count)
    block += [0x02, 0x3a, 0x80, 0x18, 0x71, 0x38, 0x2d, 0x40, 0x58, 0x2c, 0x45, 0, 0x13, 0x2b, 0x21, 0, 0, 0x1e]
    block += [UInt8](repeating: 0, count: 127 - block.count)
    return block + [0 &- block.reduce(0, &+)]
  }

  @Test func `a display states its size in centimetres`() {
    #expect(ConnectedDisplay.size(edid: Self.edid()) == PhysicalSize(width: 530, height: 300))
    #expect(ConnectedDisplay.size(edid: Self.edid() + Self.edid()) == PhysicalSize(width: 530, height: 300))
    #expect(ConnectedDisplay.size(edid: Self.edid(width: 30, height: 53)) == PhysicalSize(width: 300, height: 530))
  }

  @Test func `a damaged EDID and one without a size say nothing`() {
    #expect(ConnectedDisplay.size(edid: []) == nil)
    #expect(ConnectedDisplay.size(edid: [UInt8](repeating: 0, count: 128)) == nil)
    #expect(ConnectedDisplay.size(edid: Self.edid(width: 0, height: 0)) == nil)
    #expect(ConnectedDisplay.size(edid: Self.edid(height: 0)) == nil)
    for length in 0..<128 { #expect(ConnectedDisplay.size(edid: Array(Self.edid().prefix(length))) == nil) }
    for index in 0..<128 {
      var damaged = Self.edid()
      damaged[index] ^= 0x20
      #expect(ConnectedDisplay.size(edid: damaged) == nil, "byte \(index)")
    }
  }

  @Test func `only a single connected display tells the size of a touchscreen`() throws {
    let folder = TemporaryFolder()
    func output(_ name: String, _ status: String, _ edid: [UInt8]) throws {
      try FileContent.replace("\(folder.path)/\(name)/status", with: Array("\(status)\n".utf8))
      try FileContent.replace("\(folder.path)/\(name)/edid", with: edid)
    }
    #expect(ConnectedDisplay.size(in: folder.path) == nil)
    try output("card0-HDMI-A-1", "connected", Self.edid())
    try output("card0-HDMI-A-2", "disconnected", [])
    try output("version", "connected", Self.edid())
    #expect(ConnectedDisplay.size(in: folder.path) == PhysicalSize(width: 530, height: 300))
    try output("card1-DP-1", "connected", Self.edid(width: 60, height: 34))
    #expect(ConnectedDisplay.size(in: folder.path) == nil)
    #expect(ConnectedDisplay.size(in: "/nowhere/at/all") == nil)
  }
}
