public import Gestures

/// The reports of a device in evemu's text format: a description of the device (`N:`, `I:`, `P:`, `B:`, `A:` lines) and
/// its events (`E:` lines). Either may be missing: older recordings keep the description in a separate file.
public struct EvemuRecording: Equatable, Sendable {
  /// The device; nil if the text has no description.
  public let device: DeviceDescription?

  /// The frames in the order of the file, with the file's times in nanoseconds.
  ///
  /// A frame in which the kernel reported SYN_DROPPED is a resync frame. A running program asks the kernel for the
  /// state then; a recording lacks that state, so such a frame has fewer events than a live one.
  public let frames: [Frame]

  /// A line that is not in the format, or an incomplete text.
  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int
    public let reason: String

    public var description: String { "line \(line): \(reason)" }
  }

  public init(_ text: String) throws(Problem) {
    var reader = EvemuReader()
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard reader.take(line) else {
        throw Problem(line: index + 1, reason: "\"\(line.prefix(80))\" is not a valid line of an evemu recording here")
      }
    }
    guard reader.events.isEmpty else {
      throw Problem(
        line: lines.count, reason: "the recording is cut off: its last events are followed by no SYN_REPORT")
    }
    guard reader.isDescribed || !reader.frames.isEmpty else {
      throw Problem(line: lines.count, reason: "there is neither a device nor an event in it, so it is no recording")
    }
    device = reader.isDescribed ? reader.device : nil
    frames = reader.frames
  }
}

/// Parses a recording line by line.
private struct EvemuReader {
  var device = DeviceDescription(name: "")
  var isDescribed = false
  var frames: [Frame] = []
  /// The events since the last SYN_REPORT.
  var events: [InputEvent] = []
  private var isDropped = false
  private var synthesized = SynthesizedReports()
  /// The number of bytes of each event type's bits, and of the properties, so far.
  private var bytesOfCodes: [UInt16: Int] = [:]
  private var bytesOfProperties = 0

  /// Parses a line; returns whether it is valid.
  mutating func take(_ line: Substring) -> Bool {
    let content = line.prefix { $0 != "#" }
    guard let colon = content.firstIndex(of: ":") else { return content.allSatisfy(\.isWhitespace) }
    let rest = content[content.index(after: colon)...]
    let words = rest.split(whereSeparator: \.isWhitespace)
    switch content[..<colon] {
    case "N":
      // A name may contain a "#".
      device.name = String(line[line.index(after: colon)...].drop(while: \.isWhitespace))
      isDescribed = true
      return true
    case "I": return takeIdentity(words)
    case "P":
      guard let bits = Self.bits(words, from: bytesOfProperties) else { return false }
      bytesOfProperties += words.count
      device.properties.formUnion(bits)
      return true
    case "B":
      let bytes = words.dropFirst()
      guard let type = words.first.flatMap({ UInt16($0, radix: 16) }),
        let bits = Self.bits(bytes, from: bytesOfCodes[type, default: 0])
      else { return false }
      bytesOfCodes[type, default: 0] += bytes.count
      if !bits.isEmpty { device.codes[type, default: []].formUnion(bits) }
      return true
    case "A": return takeAxis(words)
    case "E": return takeEvent(words)
    case "L", "S": return true  // initial states of lights and switches
    default: return false
    }
  }

  private mutating func takeIdentity(_ words: [Substring]) -> Bool {
    let numbers = words.compactMap { UInt16($0, radix: 16) }
    guard words.count == 4, numbers.count == 4 else { return false }
    (device.bus, device.vendor, device.product, device.version) = (numbers[0], numbers[1], numbers[2], numbers[3])
    return true
  }

  /// The numbers of the bits that are set in hexadecimal bytes; the first byte has the number `offset`.
  private static func bits(_ words: some Collection<Substring>, from offset: Int) -> Set<UInt16>? {
    var bits: Set<UInt16> = []
    for (index, word) in words.enumerated() {
      guard let byte = UInt8(word, radix: 16), offset + index < mostBytes else { return nil }
      for bit in 0..<8 where byte & 1 << bit != 0 { bits.insert(UInt16((offset + index) * 8 + bit)) }
    }
    return bits
  }

  /// The number of bytes for all codes: KEY_MAX is 0x2ff.
  private static let mostBytes = 0x300 / 8

  private mutating func takeAxis(_ words: [Substring]) -> Bool {
    guard (5...6).contains(words.count), let code = UInt16(words[0], radix: 16) else { return false }
    let numbers = words.dropFirst().compactMap { Int32($0) }
    guard numbers.count == words.count - 1 else { return false }
    device.axes[code] = .init(
      minimum: numbers[0], maximum: numbers[1], resolution: numbers.count == 5 ? numbers[4] : 0)
    return true
  }

  private mutating func takeEvent(_ words: [Substring]) -> Bool {
    guard words.count == 4, let time = Self.nanoseconds(words[0]), let type = UInt16(words[1], radix: 16),
      let code = UInt16(words[2], radix: 16), let value = Int32(words[3])
    else { return false }
    switch (type, code) {
    case (EventCode.EV_SYN, EventCode.SYN_REPORT):
      let isResync = isDropped || synthesized.contain(events, report: value)
      frames.append(Frame(time: time, events: events, isResync: isResync))
      events = []
      isDropped = false
    case (EventCode.EV_SYN, EventCode.SYN_DROPPED): isDropped = true
    default: events.append(InputEvent(type: type, code: code, value: value))
    }
    return true
  }

  /// Reads `seconds.microseconds`.
  private static func nanoseconds(_ word: Substring) -> Int64? {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 6, let seconds = Int64(parts[0]), seconds >= 0,
      let microseconds = Int64(parts[1]), microseconds >= 0
    else { return nil }
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = whole.addingReportingOverflow(microseconds * 1000)
    return overflow || overflow2 ? nil : sum
  }
}
