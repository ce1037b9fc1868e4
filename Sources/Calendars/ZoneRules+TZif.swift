extension ZoneRules {
  /// Reads a file of the zone database, in the format TZif (RFC 9636).
  ///
  /// - Throws: a ``ZoneError`` that says what is wrong with the file; any bytes may be given.
  public init(tzif bytes: [UInt8]) throws(ZoneError) {
    var reader = BytesReader(rest: bytes[...])
    var header = try Header(&reader)
    var width = 4
    if header.version >= 2 {
      // The first block is there for programs of the last century, and is followed by one with wide numbers.
      try reader.skip(header.length(width: 4))
      header = try Header(&reader)
      width = 8
    }
    guard header.leapCount == 0 else {
      throw ZoneError("it counts leap seconds, which the times of this machine do not")
    }
    guard 1...256 ~= header.typeCount else { throw ZoneError("it holds no kinds of time") }
    var times: [Int64] = []
    for _ in 0..<header.timeCount {
      let time = try reader.integer(width).clamped
      guard times.last.map({ $0 < time }) ?? true else { throw ZoneError("its times are out of order") }
      times.append(time)
    }
    let kinds = try reader.take(header.timeCount)
    var offsets: [Int] = []
    for _ in 0..<header.typeCount {
      let offset = Int(try reader.integer(4))
      // RFC 9636: at most about a day either way.
      guard -93_599...93_599 ~= offset else { throw ZoneError("it is farther from universal time than any place") }
      offsets.append(offset)
      try reader.skip(2)
    }
    try reader.skip(header.charCount + header.standardCount + header.universalCount)
    var transitions: [Transition] = []
    for (time, kind) in zip(times, kinds) {
      guard Int(kind) < offsets.count else { throw ZoneError("it names a kind of time that it does not hold") }
      transitions.append(Transition(time: time, offset: offsets[Int(kind)]))
    }
    self.init(first: offsets[0], transitions: transitions, yearly: try width == 8 ? Self.footer(reader.rest) : nil)
  }

  /// The line at the end, which holds what goes on for ever; it may be empty.
  private static func footer(_ bytes: ArraySlice<UInt8>) throws(ZoneError) -> YearlyRule? {
    guard bytes.count >= 2, bytes.first == 0x0A, bytes.last == 0x0A else { throw ZoneError("its last line is missing") }
    let text = bytes.dropFirst().dropLast()
    if text.isEmpty { return nil }
    guard let rule = YearlyRule(posix: text) else { throw ZoneError("its last line makes no sense") }
    return rule
  }

  private struct Header {
    let version: Int
    let universalCount: Int
    let standardCount: Int
    let leapCount: Int
    let timeCount: Int
    let typeCount: Int
    let charCount: Int

    init(_ reader: inout BytesReader) throws(ZoneError) {
      guard Array(try reader.take(4)) == Array("TZif".utf8) else { throw ZoneError("it is no file of a time zone") }
      let version = try reader.take(1).first ?? 0
      self.version = 0x30...0x39 ~= version ? Int(version - 0x30) : 1
      try reader.skip(15)
      universalCount = try reader.count()
      standardCount = try reader.count()
      leapCount = try reader.count()
      timeCount = try reader.count()
      typeCount = try reader.count()
      charCount = try reader.count()
    }

    /// The bytes of the block that follows, whose times are `width` bytes wide.
    func length(width: Int) -> Int {
      timeCount * (width + 1) + typeCount * 6 + charCount + leapCount * (width + 4) + standardCount + universalCount
    }
  }
}

extension Int64 {
  /// Within a million years of 1970: files begin with a time at the beginning of the universe.
  fileprivate var clamped: Int64 { Swift.min(Swift.max(self, -31_000_000_000_000), 31_000_000_000_000) }
}

/// Goes through bytes once, and never past their end.
private struct BytesReader {
  var rest: ArraySlice<UInt8>

  mutating func take(_ count: Int) throws(ZoneError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw ZoneError("it ends too early") }
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return taken
  }

  mutating func skip(_ count: Int) throws(ZoneError) { _ = try take(count) }

  /// A big-endian number with a sign.
  mutating func integer(_ width: Int) throws(ZoneError) -> Int64 {
    var value: UInt64 = 0
    for byte in try take(width) { value = value << 8 | UInt64(byte) }
    return width == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }

  /// How many of something follow: never more than there are bytes.
  mutating func count() throws(ZoneError) -> Int {
    let count = try integer(4)
    guard 0...Int64(ZoneFolder.longestFile) ~= count else { throw ZoneError("its header makes no sense") }
    return Int(count)
  }
}
