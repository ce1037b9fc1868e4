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

  @Test(.seeded) func `another reader of the zone database says the same`() throws {
    var zones: [String: Zone] = [:]
    var wrong: [[String]] = []
    let table = try Self.table()
    #expect(table.count > 10_000)
    for row in Rounds.sample(0...table.count - 1, gap: 5).map({ table[$0] }) {
      let zone = try zones[row[1]] ?? Self.folder.zone(named: row[1])
      zones[row[1]] = zone
      let numbers = row.dropFirst(2).compactMap { Int64($0) }
      let moments = zone.moments(of: Self.wall(numbers[0]))
      let isRight: Bool
      switch (row[0], moments) {
      case ("offset", _): isRight = zone.offset(at: numbers[0]) == Int(numbers[1])
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

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      "", "..", "../zoneinfo/UTC", "/etc/passwd", "Europe/../UTC", "Europe", "Mars/Olympus", "a\0b", "zone.tab",
      "+VERSION", "tzdata.zi",
    ])
  func `a name that is no zone's is refused`(_ name: String) {
    #expect(throws: ZoneError.self) { try Self.folder.zone(named: name) }
  }

  @Test func `a file that is no zone is refused, a pipe without waiting for it`() throws {
    let temporary = TemporaryFolder()
    let whole = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin"))
    for (number, bytes) in [Data(), Data("TZif".utf8), whole.prefix(100), Data(repeating: 0xFF, count: 5000)]
      .enumerated()
    {
      try bytes.write(to: URL(fileURLWithPath: "\(temporary.path)/X\(number)"))
    }
    #expect(mkfifo("\(temporary.path)/X4", 0o600) == 0)
    for number in 0...4 {
      #expect(throws: ZoneError.self) { try ZoneFolder(path: temporary.path).zone(named: "X\(number)") }
    }
  }

  @Test func `a zone that cannot be read now is as it was read last; one that is gone is gone`() throws {
    let temporary = TemporaryFolder()
    let folder = ZoneFolder(path: temporary.path)
    for name in ["Known", "Unknown"] {
      try FileManager.default.copyItem(
        atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: "\(temporary.path)/\(name)")
    }
    let berlin = try folder.zone(named: "Known")
    for name in ["Known", "Unknown"] {
      try FileManager.default.removeItem(atPath: "\(temporary.path)/\(name)")
      // A link to itself is there, and cannot be opened.
      try FileManager.default.createSymbolicLink(atPath: "\(temporary.path)/\(name)", withDestinationPath: name)
    }
    #expect(try folder.zone(named: "Known") == berlin)
    #expect(throws: ZoneError.self) { try folder.zone(named: "Unknown") }
    let now = Int64(Date().timeIntervalSince1970)
    #expect(try berlin.offset(at: now) == Self.folder.zone(named: "Europe/Berlin").offset(at: now))
    // Far from what was read, the zone is still not that of another one.
    #expect([3600, 7200].contains(berlin.offset(at: 100_000_000_000)))
    try FileManager.default.removeItem(atPath: "\(temporary.path)/Known")
    #expect(throws: ZoneError.self) { try folder.zone(named: "Known") }
  }

  @Test func `a zone whose file is replaced has the new offsets`() throws {
    let temporary = TemporaryFolder()
    let folder = ZoneFolder(path: temporary.path)
    func install(_ name: String) throws {
      let source = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)"))
      try source.write(to: URL(fileURLWithPath: "\(temporary.path)/Here"), options: .atomic)
    }
    try install("Asia/Tokyo")
    #expect(try folder.zone(named: "Here").offset(at: 1_700_000_000) == 9 * 3600)
    try install("Asia/Kolkata")
    #expect(try folder.zone(named: "Here").offset(at: 1_700_000_000) == 19_800)
  }

  @Test func `threads that ask for many zones at once all get the right offsets`() throws {
    let zones = try ["Europe/Berlin", "Asia/Tokyo", "America/St_Johns", "Pacific/Apia"].map(Self.folder.zone)
    let winter: [Int] = [3600, 32_400, -12_600, 13 * 3600]
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for year in 0..<60 {
        for (zone, offset) in zip(zones, winter) {
          // In January, of the years that follow 2022; each of them is read by the thread that comes first.
          let time = Int64(1_673_784_000 + (year * 7 + thread) % 60 * 31_556_952)
          if zone.offset(at: time) != offset { Issue.record("\(zone.name) at \(time): \(zone.offset(at: time))") }
        }
      }
    }
  }
}

@Suite struct `The zone of a process` {
  @Test func `is the one that the C library makes of TZ`() async {
    await #expect(processExitsWith: .success) {
      for (setting, name, offset) in [
        ("JST-9", "JST-9", 32_400), ("Asia/Tokyo", "Asia/Tokyo", 32_400), (":Asia/Tokyo", "Asia/Tokyo", 32_400),
        ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", 32_400), ("", "UTC", 0), ("Mars/Olympus", "Mars/Olympus", 0),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3", 7200),
      ] {
        setenv("TZ", setting, 1)
        let zone = try ZoneFolder().zone(named: nil)
        #expect(zone.name == name && zone.offset(at: 1_783_000_000) == offset, "\(setting): \(zone.name)")
        #expect(zone.isInDatabase == ["UTC", "Asia/Tokyo"].contains(name))
      }
    }
  }

  @Test func `is that of a copy of a zone's file, too`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("TZ")
      let temporary = TemporaryFolder()
      let copy = "\(temporary.path)/localtime"
      let folder = ZoneFolder(localFile: copy)
      #expect(try folder.zone(named: nil) == .utc)
      try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/Asia/Tokyo", toPath: copy)
      let zone = try folder.zone(named: nil)
      #expect(zone.name == copy && !zone.isInDatabase && zone.offset(at: 0) == 32_400)
      try FileManager.default.removeItem(atPath: copy)
      try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: "/usr/share/zoneinfo/Asia/Tokyo")
      #expect(try folder.zone(named: nil) == ZoneFolder().zone(named: "Asia/Tokyo"))
    }
  }

  @Test func `is in place again after other zones were used`() async {
    await #expect(processExitsWith: .success) {
      // Each zone is new to the process: one that is known needs no library.
      for (setting, name) in [("JST-9", "America/St_Johns"), (nil, "America/Nuuk")] {
        if let setting { setenv("TZ", setting, 1) } else { unsetenv("TZ") }
        tzset()
        func offset() -> Int {
          var (now, broken) = (time_t(0), tm())
          localtime_r(&now, &broken)
          return broken.tm_gmtoff
        }
        let before = offset()
        let other = try ZoneFolder().zone(named: name)
        #expect(other.offset(at: 0) < 0)
        #expect(getenv("TZ").map { String(cString: $0) } == setting)
        #expect(offset() == before)
      }
    }
  }

  @Test func `and every zone in use stays as it is where no more files can be opened`() async {
    await #expect(processExitsWith: .success) {
      let zone = try ZoneFolder().zone(named: "Asia/Tokyo")
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      guard setrlimit(__rlimit_resource_t(7), &limit) == 0 else { throw CocoaError(.fileReadUnknown) }
      #expect(try ZoneFolder().zone(named: "Asia/Tokyo").offset(at: Int64(time(nil))) == 32_400)
      #expect(zone.offset(at: 100_000_000_000) == 32_400)
      #expect(throws: ZoneError.self) { try ZoneFolder().zone(named: "Europe/Berlin") }
    }
  }
}
