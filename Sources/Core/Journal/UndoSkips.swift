import Counting

/// The events that a search for undo or redo considers.
struct UndoSearch: Hashable {
  /// The counter; `nil` for the events of all counters.
  let counter: Counter.ID?
  let isRedo: Bool
  let isPassing: Bool
}

/// A range of events that a search skips.
struct UndoSkip: Equatable {
  var range: ClosedRange<Int64>
  /// The subjects of events that cannot be undone now. The range must be searched again when one of these events can.
  var passed: Set<Entity.Key> = []
  /// The last of those events whose undo needs a name that is not free.
  var barred: Int64?
  /// The number of counts that are not in the total of a shared counter but may return to the total.
  var gone = 0

  /// Whether nothing in the range can ever be undone again.
  var isFinal: Bool { passed.isEmpty && barred == nil && gone == 0 }

  /// Whether this range and another one have no event between them.
  func touches(_ other: ClosedRange<Int64>) -> Bool {
    range.lowerBound <= other.upperBound &+ 1 && other.lowerBound <= range.upperBound &+ 1
  }
}

/// Ranges of events that searches for undo and redo skip: an earlier search has skipped them, or they contain only
/// changes and the undos of these. Without the ranges, an undo after many such pairs would read all of them.
///
/// Undos are noted as they are recorded, and adjacent ranges become one, so that the number of pairs does not matter.
/// Ranges of one counter are adjacent if only events of other counters are between them.
struct UndoSkips {
  private struct Skips {
    var skips: [UndoSkip] = []
    /// The last known event of the counter; `nil` if later ones may exist.
    var last: Int64?

    /// Records the next event of the counter.
    mutating func goOn(to event: Int64) {
      guard last != event else { return }
      if let last, let index = skips.firstIndex(where: { $0.range.upperBound == last }) {
        skips[index].range = skips[index].range.lowerBound...event - 1
      }
      last = event
    }

    /// Adds a range in which nothing can be undone, and merges it with adjacent ranges.
    mutating func insert(_ new: ClosedRange<Int64>) {
      var range = new
      while let index = skips.firstIndex(where: { $0.isFinal && $0.touches(range) }) {
        let other = skips.remove(at: index).range
        range = min(range.lowerBound, other.lowerBound)...max(range.upperBound, other.upperBound)
      }
      skips.removeAll { range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound }
      skips.append(UndoSkip(range: range))
    }
  }

  private var known: [UndoSearch: Skips] = [:]
  /// The changed ranges, as they were at the last commit; `nil` for a search without ranges.
  private var former: [UndoSearch: Skips?] = [:]
  /// The last recorded event.
  private var lastNoted: Int64 = 0

  /// The maximum number of ranges of a search; the longest are kept.
  private static let mostSkips = 8
  /// The maximum number of searches whose ranges are kept; others are searched from the start.
  private static let mostSearches = 1024

  subscript(search: UndoSearch) -> [UndoSkip] { known[search]?.skips ?? [] }

  /// Stores the ranges of a search that has just ended, after the event `last`.
  mutating func remember(_ skips: [UndoSkip], for search: UndoSearch, last: Int64) {
    change(search) { entry in
      entry.skips = skips
      entry.last = last
    }
  }

  /// Removes ranges that must be searched again.
  mutating func replace(_ skips: [UndoSkip], for search: UndoSearch) {
    guard let entry = known[search], entry.skips != skips else { return }
    change(search) { $0.skips = skips }
  }

  /// Records the next event of the journal.
  mutating func note(_ event: Event) {
    defer { lastNoted = event.sequence }
    // An import has recorded events that were not noted here.
    if event.sequence != lastNoted &+ 1 { for search in known.keys { change(search) { $0.last = nil } } }
    if let undone = event.undoes, event.kind == .undone || event.kind == .redone, undone < event.sequence {
      let isRedo = event.kind == .redone
      let all = UndoSearch(counter: nil, isRedo: isRedo, isPassing: !isRedo)
      skip(event, undone, all, isLast: event.marks.contains(.lastOfAll) || undone == event.sequence - 1)
      let own = UndoSearch(counter: event.counter, isRedo: isRedo, isPassing: false)
      skip(event, undone, own, isLast: event.marks.contains(.lastOfCounter) || known[own]?.last == undone)
    }
    guard !known.isEmpty else { return }
    if event.kind == .unlocked || event.presence != .unchanged { forgetPassing(Entity.Key(event)) }
    goOn(to: event, UndoSearch(counter: event.counter, isRedo: false, isPassing: false))
    goOn(to: event, UndoSearch(counter: event.counter, isRedo: true, isPassing: false))
  }

  /// Removes the ranges that were skipped because of this subject: its events may be undone now, and it may be locked
  /// again before the next search.
  private mutating func forgetPassing(_ key: Entity.Key) {
    let all = UndoSearch(counter: nil, isRedo: false, isPassing: true)
    guard let entry = known[all], entry.skips.contains(where: { $0.passed.contains(key) }) else { return }
    change(all) { $0.skips.removeAll { $0.passed.contains(key) } }
  }

  private mutating func goOn(to event: Event, _ search: UndoSearch) {
    if known[search] != nil { change(search) { $0.goOn(to: event.sequence) } }
  }

  /// Skips an undo; in a search for a redo, skips a redo. If `isLast`, also skips all events back to the event that it
  /// undid: none of them can be undone.
  private mutating func skip(_ event: Event, _ undone: Int64, _ search: UndoSearch, isLast: Bool) {
    change(search) { entry in
      if search.counter != nil { entry.goOn(to: event.sequence) }
      entry.insert(isLast ? undone...event.sequence : event.sequence...event.sequence)
    }
  }

  /// Forgets the former ranges, because all changes are on disk.
  mutating func commit() { former.removeAll(keepingCapacity: true) }

  /// Restores the ranges of the last commit: sequence numbers are used again, and recorded undos may be gone.
  mutating func rollback() {
    for (search, entry) in former { known[search] = entry }
    former.removeAll()
    for search in known.keys { known[search]?.last = nil }
    lastNoted = 0
  }

  mutating func removeAll() {
    known.removeAll()
    former.removeAll()
  }

  private mutating func change(_ search: UndoSearch, _ body: (inout Skips) -> Void) {
    if known[search] == nil, known.count >= Self.mostSearches {
      for (search, entry) in known where former[search] == nil { former[search] = .some(entry) }
      known.removeAll()
    }
    if former[search] == nil { former[search] = .some(known[search]) }
    var entry = known[search] ?? Skips()
    body(&entry)
    if entry.skips.count > Self.mostSkips {
      entry.skips = Array(entry.skips.sorted { $0.range.count > $1.range.count }.prefix(Self.mostSkips))
    }
    known[search] = entry
  }
}
