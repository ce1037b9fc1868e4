import Gestures
import Testing

/// What is done with a device and what is bound, in the words of the golden files (`Golden/README.md`).
enum Script {
  struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ words: some Sequence<Substring>) { description = "what is \"\(words.joined(separator: " "))\"?" }
  }

  /// The events of a frame, whose parts are joined by `+`.
  static func frame(_ words: ArraySlice<Substring>) throws -> [InputEvent] {
    try words.split(separator: "+").flatMap { part in
      let numbers = part.dropFirst().compactMap { Double($0) }
      guard numbers.count == part.count - 1, let events = events(part.first ?? "", numbers) else { throw Problem(part) }
      return events.map { InputEvent(type: $0.0, code: $0.1, value: $0.2) }
    }
  }

  /// The events of a word, which has so many numbers behind it.
  private static func events(_ word: Substring, _ numbers: [Double]) -> [(UInt16, UInt16, Int32)]? {
    func whole(_ index: Int) -> Int32 { Int32(numbers[index]) }
    func place(_ x: UInt16, _ index: Int) -> [(UInt16, UInt16, Int32)] {
      [(3, x, Int32((numbers[index] * 1000).rounded())), (3, x + 1, Int32((numbers[index + 1] * 1000).rounded()))]
    }
    switch (word, numbers.count) {
    case ("move", 3): return [(3, 0x2f, whole(0))] + place(0x35, 1)
    case ("up", 1): return [(3, 0x2f, whole(0)), (3, 0x39, -1)]
    case ("tool", 2): return [(3, 0x2f, whole(0)), (3, 0x37, whole(1))]
    case ("size", 2): return [(3, 0x2f, whole(0)), (3, 0x30, whole(1))]
    case ("press", 1): return [(1, UInt16(numbers[0]), 1)]
    case ("release", 1): return [(1, UInt16(numbers[0]), 0)]
    case ("repeat", 1): return [(1, UInt16(numbers[0]), 2)]
    case ("scan", 1): return [(4, 4, whole(0))]
    case ("rel", 2): return [(2, UInt16(numbers[0]), whole(1))]
    case ("abs", 2): return [(3, UInt16(numbers[0]), whole(1))]
    case ("switch", 2): return [(5, UInt16(numbers[0]), whole(1))]
    // In scenes only: single events, and panels of other protocols.
    case ("slot", 1): return [(3, 0x2f, whole(0))]
    case ("id", 1): return [(3, 0x39, whole(0))]
    case ("tool", 1): return [(3, 0x37, whole(0))]
    case ("height", 1): return [(3, 0x3b, whole(0))]
    case ("place", 2): return place(0x35, 0)
    case ("touch", 1): return [(1, 0x14a, whole(0))]
    case ("at", 2): return place(0, 0)
    case ("list", 2): return place(0x35, 0) + [(0, 2, 0)]
    case ("list", 0): return [(0, 2, 0)]
    case ("nothing", 0): return []
    default: return nil
    }
  }
}

extension Interest {
  /// A gesture in the words of a golden file's `bind`; a mistake in them is the test's.
  init(words: String, timing: Timing = .standard) {
    let words = words.split(separator: " ")
    guard let kind = words.first.flatMap({ Gesture.Kind(rawValue: String($0)) }) else {
      fatalError("\(Script.Problem(words))")
    }
    var timing = timing
    var fingers = 1
    var zone: Zone?
    var lists: [[UInt32]]?
    for word in words.dropFirst() {
      if let mode = Timing.Mode(rawValue: String(word)) {
        timing.mode = mode
      } else if word == "KEY" {
        lists = [[]]
      } else if word == "/" {
        lists?.append([])
      } else if let number = UInt32(word) {
        if let last = lists?.indices.last { lists?[last].append(number) } else { fingers = Int(number) }
      } else if let half = Zone.halves.first(where: { $0.name == word }) {
        zone = half
      } else {
        fatalError("\(Script.Problem(words))")
      }
    }
    let target: Interest.Target
    if lists != nil || kind.means == [.key] {
      target = .keys(codes: (lists?[0] ?? []).map { UInt16($0) }, scans: lists?.dropFirst().first ?? [])
    } else {
      target = kind.means.first == .touch ? .touch(fingers: fingers, zone: zone) : .wheel
    }
    self.init(kind, target, timing: timing)
  }
}

extension Hand {
  /// Does a step: a frame, a pause, or a whole movement.
  mutating func play(_ words: ArraySlice<Substring>) throws {
    let numbers = words.dropFirst().compactMap { Double($0) }
    func steps(_ index: Int) -> Int32 { Int32((numbers[index] * 1000).rounded()) }
    switch (words.first ?? "", numbers.count) {
    case (let word, 0) where word.hasSuffix("ms"):
      guard let time = Int64(word.dropLast(2)) else { throw Script.Problem(words) }
      wait(time)
    case ("tap", 2), ("click", 1):
      let isTap = words.first == "tap"
      try play((isTap ? ["down", "0"] : ["press"]) + words.dropFirst())
      wait(80)
      try play(isTap ? ["up", "0"] : ["release"] + words.dropFirst())
    case ("stroke", 4...):
      let time = words.last.flatMap { $0.hasSuffix("ms") ? Int64($0.dropLast(2)) : nil } ?? 400
      stroke(stride(from: 0, to: numbers.count, by: 2).map { (steps($0), steps($0 + 1)) }, for: time)
    case ("gone", 0): cancel()
    default:
      let isResync = words.first == "drop"
      let parts = (isResync ? words.dropFirst() : words).split(separator: "+")
      var events: [InputEvent] = []
      for part in parts {
        if part.first == "down", part.count == 4 {
          events += [InputEvent(type: 3, code: 0x2f, value: Int32(part[part.startIndex + 1]) ?? 0), newContact()]
          events += try Script.frame(["place"] + part.dropFirst(2))
        } else {
          events += try Script.frame(part)
        }
      }
      send(events, isResync: isResync)
    }
  }

  /// Does what a script says, its steps parted by commas: "down 0 0.5 0.5, 80ms, up 0".
  mutating func play(_ script: String, _ location: SourceLocation = #_sourceLocation) {
    do {
      for step in script.split(separator: ",") { try play(step.split(separator: " ")[...]) }
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }

  /// What was recognised, as golden files have it, with the time since `start`.
  func lines(since start: Int64 = 0) -> [String] {
    zip(gestures, given).map { gesture, time in
      func milliseconds(_ time: Int64) -> String { "\(time / 1_000_000 - start)ms" }
      var line = "\(milliseconds(time)) \(gesture.words)"
      if let zone = gesture.zone { line += " \(zone)" }
      if gesture.time != time { line += " (\(milliseconds(gesture.time)))" }
      let taken = gesture.takesBack.map(\.words).joined(separator: ", ")
      return taken.isEmpty ? line : line + " takes back \(taken)"
    }
  }
}

/// Something that is done with a device, and what it must be taken for.
struct Scene: CustomTestStringConvertible, Sendable {
  /// What the scene shows, in a sentence.
  let testDescription: String
  private let device: DeviceDescription
  private let interests: [Interest]
  private let script: String
  private let expected: [String]
  private let said: [String]

  /// - Parameters:
  ///   - bound: gestures in the words of a golden file's `bind`.
  ///   - script: for ``Hand/play(_:_:)``.
  ///   - times: how often the script is played.
  ///   - expected: gestures in words; with the place as "tap at 0.2 0.5", or with the time as "1080ms tap", where it
  ///     matters. The time at the beginning is 1000 ms.
  ///   - said: what is noticed beside gestures; without any it does not matter.
  init(
    _ sentence: String, on device: DeviceDescription = .screen(), bound: [String] = [], _ script: String,
    times: Int = 1, gives expected: [String], says said: String...
  ) {
    testDescription = sentence
    self.device = device
    interests = bound.map { Interest(words: $0) }
    self.script = Array(repeating: script, count: times).joined(separator: ",")
    (self.expected, self.said) = (expected, said)
  }

  func check() {
    var hand = Hand(on: device, interests)
    hand.play(script)
    var given = expected.first?.contains("ms ") == true ? hand.lines() : hand.words
    if expected.contains(where: { $0.contains(" at ") }) {
      given = zip(given, hand.gestures).map { "\($0) at \($1.position?.x ?? 0) \($1.position?.y ?? 0)" }
    }
    #expect(given == expected, "\(testDescription)")
    if !said.isEmpty { #expect(hand.said == said, "\(testDescription)") }
  }
}
