import Counting

/// Finds the entities of an archive that the journal has already, under any name: created at the same time by the same
/// cause, here or by an earlier import. Each is found once.
struct EntityMatcher {
  private let archive: Archive
  private let store: CounterStore
  private let ledger: Ledger
  /// The number of the archive's entities with an equal creation, by creation.
  private var alike: [Creation: Int] = [:]
  /// The entities here, by the time of their creation.
  private var candidates: [Int64: [Candidate]] = [:]
  private var used: Set<Counter.ID> = []

  private struct Creation: Hashable {
    let subject: Event.Subject
    let content: EventContent

    init(_ event: Event) { (subject, content) = (event.subject, EventContent(event)) }
  }

  private struct Candidate {
    let event: Event
    let creation: Creation
    let chain: UndoChain
  }

  init(_ archive: Archive, _ store: CounterStore, _ ledger: Ledger) {
    (self.archive, self.store, self.ledger) = (archive, store, ledger)
    for first in archive.firstEvents.values where first.kind == .created { alike[Creation(first), default: 0] += 1 }
  }

  /// The local entities, by their IDs in the archive. Of several with equal creations, those with the same undos and
  /// redos of the creation are paired first, then those whose creation is not undone.
  mutating func twins() throws(StoreError) -> [Counter.ID: Counter.ID] {
    var twins: [Counter.ID: Counter.ID] = [:]
    func isUndone(_ entity: Entity) -> Bool { archive.creationChains[entity.id]?.isUndone ?? false }
    let entities = archive.entries.map(\.entity)
    for isSame in [true, false] {
      for entity in entities.filter({ !isUndone($0) }) + entities.filter(isUndone) where twins[entity.id] == nil {
        twins[entity.id] = try twin(of: entity, isSame: isSame)
      }
    }
    return twins
  }

  /// - Parameter isSame: whether the name, and the undos and redos of the creation, must be the same.
  private mutating func twin(of entity: Entity, isSame: Bool) throws(StoreError) -> Counter.ID? {
    guard let first = archive.firstEvents[entity.id], first.kind == .created, first.subject == entity.subject else {
      return nil
    }
    let chain = archive.creationChains[entity.id] ?? UndoChain()
    let creation = Creation(first)
    let name = first.createdName
    let found = try candidates(at: first.time).filter { candidate in
      guard candidate.creation == creation, !used.contains(candidate.event.counter) else { return false }
      // An import that was undone here can be repeated, unless one was undone in the archive as well.
      return !candidate.chain.isTakenBack || chain.isTakenBack
    }
    let ranked = found.compactMap { candidate -> (rank: Int, id: Counter.ID)? in
      let other = candidate.event.createdName
      let likeness: Int
      if other == name || candidate.event.name == entity.name {
        likeness = 0
      } else if ArchiveImporter.isNumbered(other.text, like: name)
        || ArchiveImporter.isNumbered(name.text, like: other)
      {
        likeness = 1
      } else if found.count == 1, alike[creation] == 1 {
        likeness = 2
      } else {
        return nil
      }
      return (likeness * 2 + (candidate.chain == chain ? 0 : 1), candidate.event.counter)
    }
    guard let (rank, twin) = ranked.min(by: { $0.rank < $1.rank }), !isSame || rank == 0 else { return nil }
    used.insert(twin)
    return twin
  }

  private mutating func candidates(at time: Int64) throws(StoreError) -> [Candidate] {
    if let known = candidates[time] { return known }
    var found: [Candidate] = []
    var position: Int64 = 0
    while true {
      let page = try store.search(EventFilter(from: time, until: time + 1), .after(position), limit: 1000, in: ledger)
      for event in page.events where event.kind == .created {
        found.append(
          Candidate(event: event, creation: Creation(event), chain: try store.undoChain(of: event)))
      }
      guard let next = page.next else { break }
      position = next
    }
    candidates[time] = found
    return found
  }
}
