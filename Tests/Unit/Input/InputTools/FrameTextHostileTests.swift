import Gestures
import InputDaemon
import InputTools
import TestKit
import Testing

/// `monitor` shows whatever a device sends.
struct FrameTextHostileTests {
  private static let codes: [(UInt16, ClosedRange<UInt16>)] = [
    (0, 0...3), (1, 0...0x2ff), (2, 0...15), (3, 0...0x3f), (4, 0...7), (5, 0...17), (0xffff, 0...0xffff),
  ]

  /// Devices of each kind, with axes that make no sense too.
  private static let devices: [DeviceDescription] = {
    let axes: [DeviceDescription.Axis] = [
      .init(minimum: 0, maximum: 1000), .init(minimum: .min, maximum: .max), .init(minimum: 5, maximum: 5),
      .init(minimum: .max, maximum: .min),
    ]
    let sets: [Set<UInt16>] = [[0, 1], [0x35, 0x36], [0x2f, 0x35, 0x36, 0x39]]
    return axes.flatMap { axis in
      sets.map { set in
        DeviceDescription(
          name: "any", codes: [1: [0x14a], 3: set], axes: Dictionary(uniqueKeysWithValues: set.map { ($0, axis) }))
      }
    }
  }()

  @Test(.seeded, arguments: 0..<40) func `nothing that a device sends is too much, and each line is one line`(
    number: Int
  ) {
    var random = Seed.generator(case: number)
    func next(_ bound: UInt64) -> UInt64 { random.below(bound) }
    var text = FrameText(Self.devices[number % Self.devices.count])
    for _ in 0..<200 {
      let events = (0..<next(12)).map { _ in
        let (type, range) = Self.codes[Int(next(UInt64(Self.codes.count)))]
        let code = range.lowerBound + UInt16(next(UInt64(range.upperBound - range.lowerBound) + 1))
        let value = next(3) == 0 ? Int32(truncatingIfNeeded: next(.max)) : Int32(next(12)) - 2
        return InputEvent(type: type, code: code, value: value)
      }
      let lines = text.lines(Frame(time: Int64(next(.max) >> 1), events: events, isResync: next(9) == 0))
      #expect(lines.count <= events.count * 2 + 66)
      #expect(lines.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isNewline) })
    }
  }
}
