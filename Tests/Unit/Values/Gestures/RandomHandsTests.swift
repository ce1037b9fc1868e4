import Gestures
import TestKit
import Testing

/// Devices that say anything at all.
@Suite(.seeded) struct RandomHandsTests {
  /// Numbers that programs stumble over.
  static let awkward: [Int32] = [.min, .min + 1, -1, 0, 1, 2, 5, 15, 16, 63, 64, 500, 1000, 65535, .max - 1, .max]

  private static let absolutes: [UInt16] = [
    0, 1, 0x10, 0x11, 0x17, 0x19, 0x2f, 0x30, 0x35, 0x36, 0x37, 0x39, 0x3b, 0xffff,
  ]

  private static func device(_ random: inout SeededRandom) -> DeviceDescription {
    var device: DeviceDescription =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .singleTouch
      case 1: .gamepad
      default: .screen()
      }
    if Bool.random(using: &random) { device.properties.insert(3) }
    if Bool.random(using: &random) {
      device.codes[3]?.remove(0x2f)
      device.axes[0x2f] = nil
    }
    device.codes[2] = [6, 7, 8, 11, 12]
    for code in device.axes.keys.sorted() where Int.random(in: 0..<4, using: &random) == 0 {
      device.axes[code] = .init(
        minimum: awkward.randomElement(using: &random) ?? 0, maximum: awkward.randomElement(using: &random) ?? 0,
        resolution: awkward.randomElement(using: &random) ?? 0)
    }
    return device
  }

  private static func interests(_ random: inout SeededRandom) -> [Interest] {
    (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
      let kind = Gesture.Kind.allCases.randomElement(using: &random) ?? .tap
      let timing = Bool.random(using: &random) ? Timing.eager : .standard
      switch kind.means.randomElement(using: &random) {
      case .touch:
        let zone = Bool.random(using: &random) ? Zone.halves.randomElement(using: &random) : nil
        return .touch(kind, fingers: .random(in: 1...5, using: &random), zone: zone, timing: timing)
      case .key:
        let codes = (30...33 as ClosedRange<UInt16>).filter { _ in Bool.random(using: &random) }
        return Interest(kind, .keys(codes: codes, scans: [7]), timing: timing)
      default: return Interest(kind, .wheel, timing: timing)
      }
    }
  }

  private static func event(_ random: inout SeededRandom) -> InputEvent {
    let value = awkward.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return InputEvent(type: 0, code: 2, value: 0)
    case 1:
      let code: UInt16 = [0x14a, 0x145, 0x148, 0x14d, 0x14e, 0x14f].randomElement(using: &random) ?? 0
      return InputEvent(type: 1, code: code, value: .random(in: 0...1, using: &random))
    case 2: return InputEvent(type: 1, code: .random(in: 30...33, using: &random), value: value)
    case 3:
      return InputEvent(type: 1, code: .random(in: 30...33, using: &random), value: .random(in: 0...1, using: &random))
    case 4: return InputEvent(type: 4, code: 4, value: .random(in: 6...8, using: &random))
    case 5: return InputEvent(type: 2, code: .random(in: 6...12, using: &random), value: value)
    case 6: return InputEvent(type: .random(in: 0...6, using: &random), code: 0, value: value)
    default: return InputEvent(type: 3, code: absolutes.randomElement(using: &random) ?? 0, value: value)
    }
  }

  @Test(arguments: 0..<Rounds.times(15)) func `nothing that a device can say breaks anything`(number: Int) {
    var random = Seed.generator(case: number)
    var recognizer = DeviceRecognizer(
      description: Self.device(&random), interests: Self.interests(&random),
      calibration: Calibration(
        swapsAxes: Bool.random(using: &random), turn: Calibration.Turn.allCases.randomElement(using: &random) ?? .none))
    var standing: [Gesture] = []
    var holding: Set<UInt16> = []
    var time: Int64 = 0
    for _ in 0..<400 {
      let isResync = Int.random(in: 0..<20, using: &random) == 0
      let events = (0..<Int.random(in: 0...12, using: &random)).map { _ in Self.event(&random) }
      time = time &+ .random(in: 0...200_000_000, using: &random)
      if Int.random(in: 0..<50, using: &random) == 0 {
        time = [Int64.min, 0, .max, 1 << 40].randomElement(using: &random) ?? 0
      }
      var gestures = recognizer.handle(Frame(time: time, events: events, isResync: isResync))
      if Int.random(in: 0..<40, using: &random) == 0 { gestures += recognizer.cancel() }
      for gesture in gestures {
        check(gesture)
        if let isOn = gesture.isOn, let key = gesture.key {
          #expect(isOn ? holding.insert(key).inserted : holding.remove(key) != nil)
        }
        for taken in gesture.takesBack {
          let index = standing.lastIndex(of: taken)
          #expect(index != nil, "\(taken.words) was not given, or was taken back already")
          if let index { standing.remove(at: index) }
        }
        standing.append(gesture)
      }
    }
    recognizer.cancel()
    #expect(recognizer.nextDeadline == nil)
    #expect(recognizer.cancel().isEmpty)
  }

  private func check(_ gesture: Gesture) {
    if let position = gesture.position {
      #expect(1...5 ~= gesture.fingers && 0...1 ~= position.x && 0...1 ~= position.y)
    }
    #expect((gesture.kind == .hold) == (gesture.isOn != nil))
    #expect((gesture.kind == .chord) == !gesture.chord.isEmpty)
    #expect(gesture.zone == nil || gesture.position != nil)
  }
}
