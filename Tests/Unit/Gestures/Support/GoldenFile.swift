import Gestures
import Glibc

/// A golden file (`Golden/README.md`): what is done with a device, and what must be recognised.
struct GoldenFile {
  let name: String
  let expected: [String]
  private let lines: [Substring]

  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// All files of the folder.
  static func all() throws -> [GoldenFile] {
    let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Golden"
    guard let directory = opendir(folder) else { throw Problem(description: "there is no \(folder)") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".t") { names.append(name) }
    }
    return try names.sorted().map { try GoldenFile(name: $0, text: Recording.text("../Golden/\($0)")) }
  }

  private init(name: String, text: String) throws {
    self.name = name
    let whole = text.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = whole.map { $0.prefix { $0 != "#" } }
    guard let gap = whole.firstIndex(where: \.isEmpty) else {
      throw Problem(description: "\(name) has no empty line")
    }
    self.lines = lines[..<gap].filter { !$0.allSatisfy(\.isWhitespace) }
    expected = lines[gap...].map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
  }

  /// Does what the file says.
  func run() throws -> [String] {
    var player = GoldenPlayer()
    for line in lines { try player.play(line.split(separator: " ")) }
    return player.given
  }
}

/// Plays a golden file line by line.
private struct GoldenPlayer {
  private(set) var given: [String] = []
  private var device = DeviceDescription.screen()
  private var interests: [Interest] = []
  private var timing = Timing.standard
  private var recognizer: DeviceRecognizer?
  /// In nanoseconds.
  private var now: Int64 = 0
  private var nextId: Int32 = 0

  mutating func play(_ words: [Substring]) throws {
    switch words.first {
    case "device": device = try Self.device(words.last ?? "")
    case "bind": interests.append(try interest(Array(words.dropFirst())))
    case "set":
      guard words.count == 3, let setting = Timing.Setting(rawValue: String(words[1])), let value = Double(words[2])
      else { throw problem(words) }
      timing[setting] = value
    case "tap":
      try play(["down", "0"] + words.dropFirst())
      wait(80)
      try play(["up", "0"])
    case "click":
      try play(["press"] + words.dropFirst())
      wait(80)
      try play(["release"] + words.dropFirst())
    case "gone": note(recognizer?.cancel(at: now) ?? [])
    case let word? where word.hasSuffix("ms"):
      guard let time = Int64(word.dropLast(2)) else { throw problem(words) }
      wait(time)
    default:
      let isResync = words.first == "drop"
      let parts = (isResync ? words.dropFirst() : words[...]).split(separator: "+")
      let frame = Frame(time: now, events: try parts.flatMap { try events(Array($0)) }, isResync: isResync)
      start()
      note(recognizer?.handle(frame) ?? [])
    }
  }

  private mutating func start() {
    guard recognizer == nil else { return }
    let interests = interests.map { interest in
      var own = timing
      own.mode = interest.timing.mode
      return Interest(interest.kind, interest.target, timing: own)
    }
    recognizer = DeviceRecognizer(description: device, interests: interests, timing: timing)
  }

  private mutating func wait(_ milliseconds: Int64) {
    let end = now + milliseconds * 1_000_000
    while let due = recognizer?.nextDeadline, due <= end {
      now = due
      note(recognizer?.advance(to: due) ?? [])
    }
    now = end
  }

  private mutating func note(_ gestures: [Gesture]) {
    for gesture in gestures {
      var line = "\(now / 1_000_000)ms \(gesture.words)"
      if let zone = gesture.zone { line += " \(zone)" }
      if gesture.time != now { line += " (\(gesture.time / 1_000_000)ms)" }
      if !gesture.takesBack.isEmpty {
        line += " takes back " + gesture.takesBack.map(\.words).joined(separator: ", ")
      }
      given.append(line)
    }
  }

  private mutating func events(_ words: [Substring]) throws -> [InputEvent] {
    let numbers = words.dropFirst().compactMap { Double($0) }
    func absolute(_ events: [(UInt16, Int32)]) -> [InputEvent] {
      events.map { InputEvent(type: 3, code: $0.0, value: $0.1) }
    }
    func event(_ type: UInt16, _ code: Double, _ value: Double) -> [InputEvent] {
      [InputEvent(type: type, code: UInt16(code), value: Int32(value))]
    }
    switch (words.first, numbers.count) {
    case ("down", 3):
      nextId += 1
      return absolute([
        (0x2f, Int32(numbers[0])), (0x39, nextId), (0x35, Int32(numbers[1] * 1000)), (0x36, Int32(numbers[2] * 1000)),
      ])
    case ("move", 3):
      return absolute([
        (0x2f, Int32(numbers[0])), (0x35, Int32(numbers[1] * 1000)), (0x36, Int32(numbers[2] * 1000)),
      ])
    case ("up", 1): return absolute([(0x2f, Int32(numbers[0])), (0x39, -1)])
    case ("tool", 2): return absolute([(0x2f, Int32(numbers[0])), (0x37, Int32(numbers[1]))])
    case ("size", 2): return absolute([(0x2f, Int32(numbers[0])), (0x30, Int32(numbers[1]))])
    case ("press", 1): return event(1, numbers[0], 1)
    case ("release", 1): return event(1, numbers[0], 0)
    case ("repeat", 1): return event(1, numbers[0], 2)
    case ("scan", 1): return event(4, 4, numbers[0])
    case ("rel", 2): return event(2, numbers[0], numbers[1])
    case ("abs", 2): return event(3, numbers[0], numbers[1])
    case ("switch", 2): return event(5, numbers[0], numbers[1])
    default: throw problem(words)
    }
  }

  private func interest(_ words: [Substring]) throws -> Interest {
    guard let kind = Gesture.Kind(rawValue: String(words.first ?? "")) else { throw problem(words) }
    var timing = Timing.standard
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
        throw problem(words)
      }
    }
    let target: Interest.Target
    if let lists {
      target = .keys(codes: lists[0].map { UInt16($0) }, scans: lists.count > 1 ? lists[1] : [])
    } else {
      target = kind.means.first == .touch ? .touch(fingers: fingers, zone: zone) : .wheel
    }
    return Interest(kind, kind.means == [.key] && lists == nil ? .keys(codes: [], scans: []) : target, timing: timing)
  }

  private static func device(_ name: Substring) throws -> DeviceDescription {
    switch name {
    case "screen": .screen()
    case "pedal": .pedal
    case "gamepad": .gamepad
    case "touchpad": .box
    case "mouse": .wheels
    case "shuttle": .shuttle
    default: throw GoldenFile.Problem(description: "there is no device \(name)")
    }
  }

  private func problem(_ words: [Substring]) -> GoldenFile.Problem {
    GoldenFile.Problem(description: "what is \"\(words.joined(separator: " "))\"?")
  }
}
