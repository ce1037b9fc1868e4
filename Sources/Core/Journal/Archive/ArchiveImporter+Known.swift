import Counting

/// Finds what earlier imports brought: events, values of tables, and counters under the names that they had then.
extension ArchiveImporter {
  /// Finds entities and events that an earlier import brought, or that a table repeats.
  mutating func findDuplicates(_ archive: Archive) throws {
    let merged = treatments.compactMapValues { if case .merged(let id) = $0 { id } else { nil } }
    let counts = archive.counts.flatMap { count in
      counter(called: count.name).flatMap { before[$0.id] }.flatMap { try? spellings(of: count, for: $0) } ?? []
    }
    var finder = try DuplicateFinder(archive, merged: merged, counts: counts, isEmpty: before.lastSequence == 0)
    try finder.search(store, in: before)
    (duplicates, tableCounts, enteredLater) = (finder.sequences, finder.tableCounts, finder.enteredLater)
    (gone, states) = (finder.gone, finder.states)
    try findImportedValues(archive)
    try findOutdatedValues(archive)
  }

  /// Finds the values that may contain events of the archive: earlier imports set the counters of these events to them.
  private mutating func findImportedValues(_ archive: Archive) throws {
    var counters: Set<Counter.ID> = []
    for entry in archive.entries where !entry.isFurther {
      if case .merged(let here)? = treatments[entry.entity.id], archive.firstEvents[entry.entity.id] != nil {
        counters.insert(here)
      }
    }
    guard !counters.isEmpty, let start = archive.span?.lowerBound else { return }
    let known = Set(duplicates.values)
    let filter = EventFilter(counters: counters, producer: Cause.importer, from: start)
    var position: Int64 = 0
    while true {
      let page = try store.search(filter, .after(position), limit: 10_000, in: before)
      for event in page.events where event.kind == .corrected && !known.contains(event.sequence) {
        if try store.reader.stands(event.sequence) { importedValues[event.counter] = event }
      }
      store.onProgress()
      guard let next = page.next else { break }
      position = next
    }
  }

  /// Finds the values of a table that an earlier import brought and that were changed since. They are not set again.
  private mutating func findOutdatedValues(_ archive: Archive) throws {
    var wanted: [Counter.ID: Int64] = [:]
    for value in archive.values {
      guard let here = counter(called: value.name).flatMap({ before[$0.id] }),
        let number = try? here.unit.number(value.value), number != here.value
      else { continue }
      wanted[here.id] = number
    }
    // A counter that an import created has its start value, unless the same import changed it.
    var (position, created) = (Int64(0), [Counter.ID: Int64]())
    while !wanted.isEmpty {
      let filter = EventFilter(counters: Set(wanted.keys), producer: Cause.importer)
      let page = try store.search(filter, .after(position), limit: 10_000, in: before)
      for event in page.events where event.undoes == nil {
        let isWanted = wanted[event.counter].map(event.hasSet) ?? false
        switch event.kind {
        case .created where isWanted: created[event.counter] = event.batch
        case .corrected where isWanted: if try store.reader.stands(event.sequence) { outdated.insert(event.counter) }
        default: if event.change != 0, created[event.counter] == event.batch { created[event.counter] = nil }
        }
      }
      store.onProgress()
      guard let next = page.next else { break }
      position = next
    }
    outdated.formUnion(created.keys)
  }

  /// Finds the counters that an earlier import filled under a name of the archive, and that were renamed since.
  ///
  /// Also finds the counters whose titles are texts from which names of the archive were made.
  ///
  /// - Throws: ``ArchiveError`` if several counters had a name of the archive or have the title, or if one has two of them.
  mutating func findRenamedCounters(_ archive: Archive) throws {
    guard clash == .merge else { return }
    let counters = archive.entries.filter { entry in
      entry.entity.subject == .counter && !entry.isRemoved && archive.firstEvents[entry.entity.id] == nil
    }
    var titles = Dictionary(counters.map { ($0.entity.name.text, $0.entity[.title].text) }) { first, _ in first }
    for count in archive.counts where titles[count.name] == nil { titles[count.name] = .some(count.title) }
    for value in archive.values where titles[value.name] == nil { titles[value.name] = .some(value.title) }
    let names = titles.keys.sorted()
    let titled = Dictionary(grouping: before.all.filter { $0.title != $0.name.text }) { $0.title.lowercased() }
    for name in names where (try? before.find(.named(name))) == nil && before.formula(named: name) == nil {
      let found = try store.countersImported(as: name).compactMap { before[$0] }
      guard found.count < 2 else { throw ArchiveError.renamed(name, found.map(\.name.text)) }
      let title = titles[name].flatMap(\.self) ?? name
      let alike = found.isEmpty && CounterName.text(like: title) == name ? titled[title.lowercased()] ?? [] : []
      guard alike.count < 2 else { throw ArchiveError.titled(title, alike.map(\.name.text)) }
      guard let here = found.first ?? alike.first else { continue }
      present[name] = here.id
      if let name = try? CounterName(name) { renamed[name] = here.name }
      if !found.isEmpty { summary.renamed.append(.init(name: name, counter: here)) }
    }
    guard !present.isEmpty else { return }
    var others: [Counter.ID: String] = [:]
    for name in names {
      guard let here = counter(called: name) else { continue }
      if let other = others.updateValue(name, forKey: here.id) {
        throw ArchiveError.oneCounter([other, name], here.name.text)
      }
    }
  }

  /// The counter for a name of a table, which may have been renamed since an earlier import.
  func counter(called name: String) -> Counter? {
    present[name].flatMap { ledger[$0] } ?? (try? ledger.find(.named(name)))
  }
}

extension Event {
  /// Whether a correction may have been for this value, of which a limit cut off what was beyond.
  fileprivate func hasSet(_ wanted: Int64) -> Bool {
    guard marks.contains(.limited) else { return wanted == value }
    return change >= 0 && wanted > value || change <= 0 && wanted < value
  }
}
