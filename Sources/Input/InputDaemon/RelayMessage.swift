package import Gestures

/// A message of an ``EventRelay`` about one device.
package enum RelayMessage: Equatable, Sendable {
  /// The number of ignored strokes of the device; sent before the first `held`, if it is not 0.
  case ignored(IgnoredStrokes)
  /// Whether the daemon has grabbed the device.
  case held(Bool)
  /// A frame of the grabbed device.
  case frame(Frame)

  // Events of 16 bytes: the time in nanoseconds of `CLOCK_BOOTTIME`, type, code and value, all little-endian.
  // SYN_REPORT ends a frame, with the value 1 after lost events; SYN_CONFIG, which the kernel never sends, states
  // whether the device is grabbed; two codes beyond SYN_MAX state the numbers of ignored strokes, and the second one
  // completes the message.
  private static let eventSize = 16
  private static let synReport: UInt16 = 0
  private static let synConfig: UInt16 = 1
  private static let bounced: UInt16 = 0x10
  private static let typed: UInt16 = 0x11
  /// The maximum number of events in a frame. No device sends so many.
  private static let longestFrame = 8192

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .ignored(let strokes):
      for (code, count) in [(Self.bounced, strokes.bounced), (Self.typed, strokes.typed)] {
        Self.append(InputEvent(type: 0, code: code, value: Int32(clamping: count)), at: 0, to: &bytes)
      }
    case .held(let isHeld):
      Self.append(InputEvent(type: 0, code: Self.synConfig, value: isHeld ? 1 : 0), at: 0, to: &bytes)
    case .frame(let frame):
      bytes.reserveCapacity((frame.events.count + 1) * Self.eventSize)
      for event in frame.events { Self.append(event, at: frame.time, to: &bytes) }
      let end = InputEvent(type: 0, code: Self.synReport, value: frame.isResync ? 1 : 0)
      Self.append(end, at: frame.time, to: &bytes)
    }
    return bytes
  }

  private static func append(_ event: InputEvent, at time: Int64, to bytes: inout [UInt8]) {
    func append(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    append(time)
    append(event.type)
    append(event.code)
    append(event.value)
  }

  /// Assembles messages from bytes.
  package struct Decoder {
    private var rest: [UInt8] = []
    private var events: [InputEvent] = []
    private var bounced = 0

    package init() {}

    /// Returns the messages that `bytes` complete; `nil` if the bytes do not come from a relay.
    package mutating func decode(_ bytes: some Collection<UInt8>) -> [RelayMessage]? {
      rest += bytes
      var messages: [RelayMessage] = []
      var place = 0
      while rest.count - place >= eventSize {
        let event = rest[place..<place + eventSize]
        place += eventSize
        guard let message = decode(event: event) else { continue }
        messages.append(message)
      }
      rest.removeFirst(place)
      return events.count > longestFrame ? nil : messages
    }

    private mutating func decode(event bytes: ArraySlice<UInt8>) -> RelayMessage? {
      func number<Number: FixedWidthInteger>(at offset: Int, _: Number.Type = Number.self) -> Number {
        let size = MemoryLayout<Number>.size
        let part = bytes.dropFirst(offset).prefix(size)
        return part.reversed().reduce(0) { ($0 << 8) | Number(truncatingIfNeeded: $1) }
      }
      let time: Int64 = number(at: 0)
      let event = InputEvent(type: number(at: 8), code: number(at: 10), value: number(at: 12))
      switch (event.type, event.code) {
      case (0, RelayMessage.synReport):
        defer { events = [] }
        return .frame(Frame(time: time, events: events, isResync: event.value != 0))
      case (0, RelayMessage.synConfig): return .held(event.value != 0)
      case (0, RelayMessage.bounced):
        bounced = Int(event.value)
        return nil
      case (0, RelayMessage.typed): return .ignored(IgnoredStrokes(bounced: bounced, typed: Int(event.value)))
      default:
        events.append(event)
        return nil
      }
    }
  }
}
