import Calendars
import Foundation
import TestKit
import Testing

@Suite struct `Time zones` {
  static let folder = ZoneFolder()

  /// What Python's zoneinfo says of the same files.
  static func table() throws -> [[String]] {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("zones.py").path
    let outcome = try Program.run("/usr/bin/env", ["python3", script], ProcessInfo.processInfo.environment)
    #expect(outcome.code == 0, "\(outcome.complaint)")
    return outcome.lines.map { $0.split(separator: " ").map(String.init) }
  }

  /// Seconds on a wall, as the table gives them.
  static func wall(_ seconds: Int64) -> WallTime { Zone.utc.wallTime(at: seconds) }

  @Test func `another reader of the zone database says the same`() throws {
    var zones: [String: Zone] = [:]
    var wrong: [[String]] = []
    let table = try Self.table()
    #expect(table.count > 10_000)
    for row in table {
      let zone = try zones[row[1]] ?? Self.folder.zone(named: row[1])
      zones[row[1]] = zone
      let numbers = row.dropFirst(2).compactMap { Int64($0) }
      let moments = zone.moments(of: Self.wall(numbers[0]))
      let isRight: Bool
      switch (row[0], moments) {
      case ("offset", _): isRight = zone.rules.offset(at: numbers[0]) == Int(numbers[1])
      case ("wall", .once(let time)): isRight = numbers[1] == time && numbers[2] == time
      case ("wall", .twice(let first, let last)): isRight = numbers[1] == first && numbers[2] == last
      case ("gap", .never(let change, _)):
        isRight =
          zone.wallTime(at: change - 1) < Self.wall(numbers[0]) && zone.wallTime(at: change) > Self.wall(numbers[0])
      default: isRight = false
      }
      if !isRight { wrong.append(row) }
    }
    #expect(wrong.prefix(5) == [])
  }

  @Test func `gaps and overlaps are told apart`() throws {
    let berlin = try Self.folder.zone(named: "Europe/Berlin")
    func moments(_ month: Int, _ day: Int, _ clock: String) throws -> Zone.Moments {
      let date = try #require(CalendarDate(year: 2026, month: month, day: day))
      return berlin.moments(of: WallTime(date, secondOfDay: try #require(TimeText.secondOfDay(clock))))
    }
    #expect(try moments(3, 29, "02:30") == .never(changeAt: 1_774_746_000, by: 3600))
    #expect(try moments(3, 29, "03:00") == .once(1_774_746_000))
    #expect(try moments(10, 25, "02:30") == .twice(1_792_888_200, 1_792_891_800))
    #expect(try moments(10, 25, "03:00") == .once(1_792_893_600))
  }

  @Test(arguments: [
    "", "..", "../zoneinfo/UTC", "/etc/passwd", "Europe/../UTC", "Europe", "Mars/Olympus", "a\0b", "zone.tab",
  ])
  func `a name that is no zone's is refused`(_ name: String) {
    #expect(throws: ZoneError.self) { try Self.folder.zone(named: name) }
  }

  @Test(.seeded) func `no bytes break the reader, however they are cut or changed`() throws {
    let file = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin"))
    let bytes = [UInt8](file)
    for length in 0..<bytes.count {
      #expect(throws: ZoneError.self) { try ZoneRules(tzif: Array(bytes[..<length])) }
    }
    var random = Seed.generator()
    for _ in 0..<Rounds.times(1_000) {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: 0..<bytes.count, using: &random)] =
          [0, 1, 0x7F, 0x80, 0xFF, 0x39].randomElement(using: &random) ?? 0
      }
      guard let rules = try? ZoneRules(tzif: changed) else { continue }
      let zone = Zone(name: "x", rules: rules)
      let day = try #require(Period(.day, secondOfDay: 9000))
      for time in [Int64.min, -4_000_000_000, 0, 1_792_888_200, 4_000_000_000, Int64.max] {
        _ = zone.moments(of: zone.wallTime(at: time))
        _ = day.boundary(after: time, in: zone)
        _ = day.boundary(atOrBefore: time, in: zone)
      }
    }
  }

  @Test func `daylight saving that never ends is in force at each new year as well`() throws {
    // RFC 9636's example, made into a file of a zone without any transition.
    func file(_ footer: String) -> [UInt8] {
      let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
      let block =
        Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts + [0, 0, 0, 0, 0, 0] + Array("XXX\0".utf8)
      return block + block + Array("\n\(footer)\n".utf8)
    }
    let rules = try ZoneRules(tzif: file("XXX3EDT4,0/0,J365/23"))
    for time: Int64 in [1_767_225_600, 1_767_236_399, 1_767_236_400, 1_767_236_401, 1_780_000_000] {
      #expect(rules.offset(at: time) == -4 * 3600)
    }
    for footer in [
      "XX1", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-25", "<A",
    ] {
      #expect { try ZoneRules(tzif: file(footer)) } throws: { "\($0)" == "its last line makes no sense" }
    }
  }

  @Test func `a zone that cannot be read now is as it was read last; one that is gone is gone`() throws {
    let temporary = TemporaryFolder()
    let base = temporary.path
    try FileManager.default.createDirectory(atPath: "\(base)/Europe", withIntermediateDirectories: true)
    let file = "\(base)/Europe/Berlin"
    try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: file)
    let (memory, other) = (ZoneMemory(ZoneFolder(path: base)), ZoneMemory(ZoneFolder(path: base)))
    let berlin = try memory.zone(named: "Europe/Berlin")
    try FileManager.default.removeItem(atPath: file)
    // A link to itself is there, and cannot be opened.
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "Berlin")
    #expect(try memory.zone(named: "Europe/Berlin") == berlin)
    #expect(throws: ZoneError.self) { try other.zone(named: "Europe/Berlin") }
    try FileManager.default.removeItem(atPath: file)
    #expect(throws: ZoneError.self) { try memory.zone(named: "Europe/Berlin") }
  }
}
