package import Gestures

/// Writes a recording in evemu's text format frame by frame (format 1.3, as `evemu-describe` and `evemu-record` do).
package struct RecordingText {
  private var start: Int64?
  /// The state before the first frame. It is written together with that frame.
  private var state: Frame?

  package init() {}

  /// The lines that describe the device.
  package func head(_ device: DeviceDescription) -> String {
    let numbers = [device.bus, device.vendor, device.product, device.version].map(Self.hexadecimal)
    // A device's name could contain a line break.
    let name = String(String.UnicodeScalarView(device.name.unicodeScalars.filter(Self.isPlain)))
    var lines = ["# EVEMU 1.3", "N: \(name)", "I: \(numbers.joined(separator: " "))"]
    lines += Self.bits("P:", device.properties, upTo: 0x1f)
    let types = Set(device.codes.keys).union([EventCode.EV_SYN])
    for (type, last) in Self.lastCodes {
      let codes = type == EventCode.EV_SYN ? types : device.codes[type] ?? []
      lines += Self.bits("B: \(Self.byte(type))", codes, upTo: last)
    }
    for (code, axis) in device.axes.sorted(by: { $0.key < $1.key }) {
      lines.append("A: \(Self.byte(code)) \(axis.minimum) \(axis.maximum) 0 0 \(axis.resolution)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Stores the state before the first frame, so that keys already held do not look like presses later, and every
  /// contact has a position on both axes.
  package mutating func begin(_ state: Frame) {
    let tells = state.events.contains { event in
      event.type == EventCode.EV_KEY || (event.type == EventCode.EV_ABS && event.value > 0)
    }
    if tells { self.state = state }
  }

  /// The lines of one frame. The first one has the time 0.000001, as in evemu.
  package mutating func frame(_ frame: Frame) -> String {
    let start = self.start ?? frame.time &- 1000
    self.start = start
    var lines: [String] = []
    if let state {
      lines += Self.lines(Frame(time: frame.time, events: state.events, isResync: true), since: start)
      self.state = nil
    }
    lines += Self.lines(frame, since: start)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ frame: Frame, since start: Int64) -> [String] {
    let microseconds = max(0, frame.time &- start) / 1000
    let fraction = String(microseconds % 1_000_000)
    let time = "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
    var events = frame.events
    if frame.isResync {
      events.insert(InputEvent(type: EventCode.EV_SYN, code: EventCode.SYN_DROPPED, value: 0), at: 0)
    }
    events.append(InputEvent(type: EventCode.EV_SYN, code: EventCode.SYN_REPORT, value: 0))
    return events.map { event in
      "E: \(time) \(hexadecimal(event.type)) \(hexadecimal(event.code)) \(padded(event.value))"
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .control && !Character(scalar).isNewline
  }

  /// Four digits, as evemu writes them.
  private static func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Rows of eight bytes, bit 0 first.
  private static func bits(_ head: String, _ set: Set<UInt16>, upTo last: UInt16) -> [String] {
    let count = (Int(last) / 8 + 8) / 8 * 8
    var bytes = [UInt8](repeating: 0, count: count)
    for bit in set where Int(bit) / 8 < count { bytes[Int(bit) / 8] |= 1 << UInt8(bit % 8) }
    return stride(from: 0, to: count, by: 8).map { first in
      "\(head) \(bytes[first..<first + 8].map { byte(UInt16($0)) }.joined(separator: " "))"
    }
  }

  /// The highest code of each type of event (`linux/input-event-codes.h`); other types have no codes.
  private static let lastCodes: KeyValuePairs<UInt16, UInt16> = [
    0x00: 0x1f, 0x01: 0x2ff, 0x02: 0x0f, 0x03: 0x3f, 0x04: 0x07, 0x05: 0x11, 0x11: 0x0f, 0x12: 0x07, 0x14: 0x01,
    0x15: 0x7f,
  ]

  private static func byte(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }

  private static func padded(_ value: Int32) -> String {
    let digits = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, (value < 0 ? 3 : 4) - digits.count)) + digits
  }
}
