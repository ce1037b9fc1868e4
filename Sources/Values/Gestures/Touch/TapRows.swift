/// The taps of a region that may become a double-tap or a longer row: one ``Repetition`` for each place.
///
/// Taps at different places never make a double-tap and never end one: two hands that tap in turn each make their own.
struct TapRows: Equatable, Sendable {
  private struct Row: Equatable, Sendable {
    var taps: Repetition
    /// The landings of the fingers of the first tap.
    var places: [Stroke.Vector]
  }

  private var rows: [Row] = []

  /// The maximum number of places at which taps wait. Only a faulty device reports more.
  private static let limit = 64

  /// The end of the first wait for a further tap; nil if no tap waits.
  var deadline: Int64? { rows.lazy.compactMap(\.taps.deadline).min() }

  /// The row at a place: the nearest one with a finger within `slop` of one of these landings. Fingers of a hand land
  /// in any order.
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

  /// The taps of a row.
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
    rows.removeAll { row in
      !row.taps.isInProgress && !groups.contains { Self.distance(row.places, $0.landings) <= slop }
    }
  }
}
