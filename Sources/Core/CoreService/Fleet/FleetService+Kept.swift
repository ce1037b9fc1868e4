import CoreAPI
import Counting
import Fleet
import JSON
import Linux

/// Reports the counts that a reset did not include. Each station reports its own: the counts that it had made and that
/// the reset did not include when the station received it.
extension FleetService {
  /// Records the counts that this station kept after resets by others. Only the last effective reset matters.
  func keep(_ resets: [Entry], in period: CounterPeriod) -> [Counters.Publication] {
    guard let membership, let counter = localCounter(period.counter) else { return [] }
    let undone = member.station.knowledge[period].undone
    let reset = resets.last { !undone.contains($0) && !member.station.writers.contains($0.writer) }
    guard let reset else { return [] }
    kept.begin(reset, of: period.counter)
    // The own count, without the counts that another reset removed.
    let change = Int64(clamping: member.station.own(in: period))
    guard change != 0, period == self.period(of: counter) else { return [] }
    let row = LateCounts.Row(reset: reset, station: membership.station, change: change)
    note(row, of: counter, period.counter)
    return kept([row], of: period.counter)
  }

  /// Records a reset by this station, which includes all counts known here.
  func reset(_ counter: CounterID, as number: Int64) {
    guard let writer = member.station.writer else { return }
    kept.begin(Entry(writer: writer, number: number), of: counter)
  }

  /// Records the counts that another station kept.
  func learn(_ message: Counters.FleetKept, from name: String) {
    guard name != membership?.station, let id = CounterID(message.counter), let counter = localCounter(id) else {
      return
    }
    for count in message.counts.prefix(Self.mostKept) {
      guard let reset = count.reset.value else { continue }
      note(.init(reset: reset, station: name, change: count.change), of: counter, id)
    }
  }

  private static let mostKept = 20

  private func note(_ row: LateCounts.Row, of counter: Counter, _ id: CounterID) {
    let isNew = !kept[id].contains { $0.reset == row.reset && $0.station == row.station && $0.change == row.change }
    kept.note(row, of: id)
    guard isNew else { return }
    notice(
      "“\(counter.name)” kept \(counter.unit.text(row.change)) of \(row.station), which had not heard of a reset.")
  }

  /// The kept counts of a counter after resets that are in effect. A reset that is the base of another effective one is
  /// left out, because the later reset includes the counts.
  func kept(of counter: Counter, _ id: CounterID) -> [LateCounts.Row] {
    guard let period = period(of: counter) else { return [] }
    let replica = member.station.knowledge[period]
    let rows = kept[id].filter { replica.resets[$0.reset] != nil && !replica.undone.contains($0.reset) }
    guard !rows.isEmpty else { return [] }
    let bases = Set(replica.resets.lazy.filter { !replica.undone.contains($0.key) }.compactMap(\.value.base))
    return rows.filter { !bases.contains($0.reset) }
  }

  /// The counts that this station kept, to publish at a connection.
  func allKept() -> [Counters.Publication] {
    member.counters.values.flatMap { id in
      kept(kept[id].filter { $0.station == membership?.station }.suffix(Self.mostKept), of: id)
    }
  }

  private func kept(_ rows: some Collection<LateCounts.Row>, of counter: CounterID) -> [Counters.Publication] {
    guard !rows.isEmpty else { return [] }
    let members: JSONObject = [
      "version": .int(Message.version), "counter": .string(counter.description),
      "kept": .array(
        rows.map { row in
          .array([.string(row.reset.writer.description), .int(row.reset.number), .int(row.change)])
        }),
    ]
    return answers([members.description])
  }

  private func localCounter(_ id: CounterID) -> Counter? { member.locals[id].flatMap { core.ledger[$0] } }
}

/// Counts that stations made before they received a reset, and that the reset did not remove. Each station reports its
/// own counts. In memory only, because the counts are only shown to people.
struct LateCounts {
  struct Row {
    let reset: Entry
    let station: String
    /// The kept count, in the counter's unit.
    let change: Int64
  }

  private var rows: [CounterID: [Row]] = [:]
  private static let most = 64

  subscript(counter: CounterID) -> [Row] { rows[counter] ?? [] }

  /// Removes the rows of earlier resets, because a newer reset includes the counts that stations had reported.
  mutating func begin(_ reset: Entry, of counter: CounterID) {
    rows[counter]?.removeAll { $0.reset != reset }
  }

  mutating func note(_ row: Row, of counter: CounterID) {
    guard rows[counter] != nil || rows.count < ReplicaStore.maximumCounters else { return }
    var known = self[counter].filter { $0.reset != row.reset || $0.station != row.station }
    known.append(row)
    rows[counter] = known.suffix(Self.most)
  }
}
