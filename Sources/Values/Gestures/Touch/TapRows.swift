/// The taps of a region that may become a double-tap or a longer row: one ``Repetition`` for each place.
///
/// Taps at different places never make a double-tap and never end one: each of two hands that tap in turn makes its
/// own.
struct TapRows: Equatable, Sendable {
  private struct Row: Equatable, Sendable {
    var taps: Repetition
    /// The positions at which the fingers of the first tap landed.
    var places: [Stroke.Vector]
  }

  private var rows: [Row] = []
  /// Finished rows at places where other rows have begun. Kept, because their taps may still be withdrawn.
  private var former: [Row] = []

  /// The maximum number of places at which taps wait. Only a faulty device reports more.
  private static let limit = 64

  /// The end of the first wait for a further tap; nil if no tap waits.
  var deadline: Int64? { rows.lazy.compactMap(\.taps.deadline).min() }

  /// The nearest row with a finger within `slop` of one of these landings. Fingers of a hand land in any order.
  func index(at places: [Stroke.Vector], within slop: Double) -> Int? {
    var nearest: (index: Int, distance: Double)?
    for (index, row) in rows.enumerated() {
      let distance = Self.distance(row.places, places)
      if distance <= slop, distance < nearest?.distance ?? .infinity { nearest = (index, distance) }
    }
    return nearest?.index
  }

  private static func distance(_ some: [Stroke.Vector], _ others: [Stroke.Vector]) -> Double {
    some.reduce(.infinity) { least, one in others.reduce(least) { min($0, ($1 - one).length) } }
  }

  subscript(index: Int) -> Repetition {
    get { rows[index].taps }
    set { rows[index].taps = newValue }
  }

  /// Adds the first tap of a row.
  ///
  /// - Parameter index: the finished row at the place; nil to begin another one.
  mutating func begin(
    _ index: Int?, at places: [Stroke.Vector], with tap: Gesture, as rule: Repetition.Rule,
    into output: inout GestureOutput
  ) {
    if index == nil, rows.count == Self.limit {
      rows[0].taps.flush(into: &output)
      rows.removeFirst()
    }
    if let index { former = former.suffix(Self.limit - 1) + [rows[index]] }
    if index == nil { rows.append(Row(taps: Repetition(), places: places)) }
    let index = index ?? rows.count - 1
    rows[index].places = places
    rows[index].taps.add(tap, as: rule, into: &output)
    rows[index].taps.pause(from: tap.time)
  }

  /// Emits the taps whose wait has ended.
  mutating func advance(to time: Int64, into output: inout GestureOutput) {
    flush(into: &output) { $0.deadline ?? .max <= time }
  }

  /// Emits the waiting taps, in the order of their rows.
  mutating func flush(into output: inout GestureOutput, where isMeant: (Repetition) -> Bool = { _ in true }) {
    for index in rows.indices where isMeant(rows[index].taps) { rows[index].taps.flush(into: &output) }
  }

  mutating func wait(until time: Int64) {
    for index in rows.indices { rows[index].taps.wait(until: time) }
  }

  /// Removes the rows in which no tap waits, except at the places of taps that may still be withdrawn.
  mutating func removeFinished(except groups: [FingerGroup], within slop: Double) {
    func isNear(_ row: Row) -> Bool { groups.contains { Self.distance(row.places, $0.landings) <= slop } }
    rows.removeAll { !$0.taps.isInProgress && !isNear($0) }
    former.removeAll { !isNear($0) }
  }

  /// Whether a tap is the last one of its row.
  func isLast(_ tap: Gesture) -> Bool { (rows + former).contains { $0.taps.last == tap } }

  /// Withdraws a tap, which must be the last one of its row; `nil` if no row has it. See
  /// ``Repetition/withdraw(into:)``.
  mutating func withdraw(_ tap: Gesture, into output: inout GestureOutput) -> [Gesture]? {
    if let index = rows.firstIndex(where: { $0.taps.contains(tap) }) {
      return rows[index].taps.withdraw(into: &output)
    }
    guard let index = former.lastIndex(where: { $0.taps.contains(tap) }) else { return nil }
    return former[index].taps.withdraw(into: &output)
  }
}
