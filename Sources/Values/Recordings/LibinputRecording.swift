package import Gestures

/// The reports of devices, as `libinput record` writes them (YAML, version 1).
///
/// Parses only the output of that program, line by line, not YAML in general. Unknown keys are skipped with everything
/// below them, as the format's manual requires.
package struct LibinputRecording: Equatable {
  /// One device and its reports.
  package struct Part: Equatable {
    package fileprivate(set) var device = DeviceDescription(name: "")
    package fileprivate(set) var frames: [Frame] = []
  }

  /// The devices in the order of the file; at least one.
  package private(set) var devices: [Part] = []

  /// The reason why a text is not a recording of libinput, as part of a sentence.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  /// The part of the file that a line belongs to.
  private enum Section: Equatable {
    case none, codes, axes, events
  }

  private var section = Section.none
  private var events: [InputEvent] = []
  private var isDropped = false
  private var synthesized = SynthesizedReports()

  /// Whether a text is a recording of libinput.
  package static func isOne(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).lazy.map { $0.drop(while: \.isWhitespace) }
      .first { !$0.isEmpty && !$0.hasPrefix("#") && $0 != "---" }?.hasPrefix("version:") ?? false
  }

  /// Parses a recording.
  ///
  /// - Throws: ``Problem`` with the first invalid line.
  package init(_ text: String) throws(Problem) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard take(line.drop(while: \.isWhitespace)) else {
        throw Problem("line \(index + 1): “\(line.prefix(80))” is not a valid line of a libinput recording here")
      }
    }
    guard !devices.isEmpty else { throw Problem("there is no device in it") }
    guard events.isEmpty else { throw Problem(Self.cutOff) }
  }

  private static let cutOff = "it is cut off: its last events are followed by no SYN_REPORT"

  /// The device that the present lines describe.
  private var device: DeviceDescription {
    get { devices[devices.count - 1].device }
    set { devices[devices.count - 1].device = newValue }
  }

  /// Parses a line; returns whether it is valid. Most lines are skipped.
  private mutating func take(_ line: Substring) -> Bool {
    if line.hasPrefix("- node:") {
      guard events.isEmpty else { return false }
      devices.append(Part())
      synthesized = SynthesizedReports()
      section = .none
      return true
    }
    guard !devices.isEmpty, !line.hasPrefix("#") else { return true }
    switch line.prefix(while: { $0 != ":" && $0 != "#" }) {
    case "name": device.name = Self.text(line)
    case "id":
      let numbers = Self.numbers(line).map { UInt16(truncatingIfNeeded: $0) }
      guard numbers.count == 4 else { return false }
      (device.bus, device.vendor, device.product, device.version) = (numbers[0], numbers[1], numbers[2], numbers[3])
    case "codes": section = .codes
    case "absinfo": section = .axes
    case "properties" where line.contains("["):  // udev has properties of its own
      section = .none
      device.properties = Set(Self.numbers(line).compactMap(UInt16.init(exactly:)))
    // In a device, `evdev` begins its description; in an event, its list of reports.
    case "events", "- evdev", "evdev": section = .events
    case let key where Self.isKey(key, of: line): section = .none
    default: return takeList(line)
    }
    return true
  }

  /// Whether a line begins with this key of YAML, as a list item or not. Codes and axes are numbers, not keys.
  private static func isKey(_ key: Substring, of line: Substring) -> Bool {
    let name = key.hasPrefix("- ") ? key.dropFirst(2) : key
    guard let first = name.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic || first == "_" else {
      return false
    }
    return key.endIndex < line.endIndex && line[key.endIndex] == ":"
  }

  private mutating func takeList(_ line: Substring) -> Bool {
    let numbers = Self.numbers(line)
    switch section {
    case .none: return true
    case .codes, .axes:
      guard let key = line.split(separator: ":").first.flatMap({ UInt16($0) }) else { return line.isEmpty }
      if section == .codes {
        device.codes[key] = Set(numbers.compactMap(UInt16.init(exactly:)))
        return true
      }
      let values = numbers.compactMap(Int32.init(exactly:))
      guard values.count == 5, numbers.count == 5 else { return false }
      device.axes[key] = .init(minimum: values[0], maximum: values[1], resolution: values[4])
      return true
    case .events:
      guard line.hasPrefix("- [") else { return line.isEmpty }
      return takeEvent(numbers)
    }
  }

  /// `- [seconds, microseconds, type, code, value]`
  private mutating func takeEvent(_ numbers: [Int64]) -> Bool {
    guard numbers.count == 5, numbers[0] >= 0, 0..<1_000_000 ~= numbers[1],
      let type = UInt16(exactly: numbers[2]), let code = UInt16(exactly: numbers[3]),
      let value = Int32(exactly: numbers[4])
    else { return false }
    let (seconds, overflow) = numbers[0].multipliedReportingOverflow(by: 1_000_000_000)
    let (time, overflow2) = seconds.addingReportingOverflow(numbers[1] * 1000)
    guard !overflow, !overflow2 else { return false }
    switch (type, code) {
    case (EventCode.EV_SYN, EventCode.SYN_REPORT):
      let isResync = isDropped || synthesized.contain(events, report: value)
      devices[devices.count - 1].frames.append(Frame(time: time, events: events, isResync: isResync))
      events = []
      isDropped = false
    case (EventCode.EV_SYN, EventCode.SYN_DROPPED): isDropped = true
    default: events.append(InputEvent(type: type, code: code, value: value))
    }
    return true
  }

  /// The numbers between brackets; empty for anything else, or without a closing bracket.
  private static func numbers(_ line: Substring) -> [Int64] {
    guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close else { return [] }
    let words = line[line.index(after: open)..<close].split(separator: ",")
    let numbers = words.compactMap { word in Int64(word.filter { !$0.isWhitespace }) }
    return numbers.count == words.count ? numbers : []
  }

  private static func text(_ line: Substring) -> String {
    guard let open = line.firstIndex(of: "\""), let close = line.lastIndex(of: "\""), open < close else { return "" }
    var text = ""
    for character in line[line.index(after: open)..<close] {
      if character == "\"", text.last == "\\" { text.removeLast() }
      text.append(character)
    }
    return text
  }
}
