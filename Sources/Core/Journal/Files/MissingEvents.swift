/// The events that are missing between the first number and the last event of a journal.
struct MissingEvents {
  /// The number of missing events.
  private(set) var count: Int64 = 0
  /// The first ranges of missing events.
  private var ranges: [ClosedRange<Int64>] = []
  private var places = 0
  private var last: Int64 = 0

  /// The maximum number of ranges that are listed.
  private static let most = 20

  init() {}

  /// The events that are missing in a journal.
  init(_ database: Database) throws(StoreError) {
    _ = try database.prepare("SELECT sequence FROM event WHERE sequence > 0 ORDER BY sequence").each([]) {
      row throws(StoreError) in
      note(row.integer(0))
    }
  }

  /// Records that an event exists. In a damaged file events may come in any order; an event that comes after a later
  /// event is ignored.
  mutating func note(_ sequence: Int64) {
    guard sequence > last else { return }
    defer { last = sequence }
    guard sequence - 1 > last else { return }
    count += sequence - 1 - last
    places += 1
    if ranges.count < Self.most { ranges.append(last + 1...sequence - 1) }
  }

  /// A sentence for each listed range, and one for all further ranges.
  var sentences: [String] {
    let listed = ranges.map { "\(Self.words($0)) missing." }
    let more = places - ranges.count
    guard more > 0 else { return listed }
    return listed + ["Events are missing in \(more) more place\(more == 1 ? "" : "s")."]
  }

  /// The events of a range and their verb, such as “Events 3 to 5 are”.
  static func words(_ range: ClosedRange<Int64>) -> String {
    range.lowerBound == range.upperBound
      ? "Event \(range.lowerBound) is" : "Events \(range.lowerBound) to \(range.upperBound) are"
  }
}
