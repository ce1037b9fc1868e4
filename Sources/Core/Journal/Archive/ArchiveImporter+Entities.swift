import Counting

/// Decides the treatment of each entity of the archive.
extension ArchiveImporter {
  mutating func decideTreatments(_ archive: Archive) throws {
    let namesakes = try store.entitiesByName()
    var finder = EntityMatcher(archive, store, before)
    let twins = try finder.twins()
    let paired = Set(twins.filter { archive.creationChains[$0.key]?.isUndone != true }.values)
    for entry in archive.entries {
      let entity = entry.entity
      if let twin = twins[entity.id] {
        treatments[entity.id] = try treatment(of: entry, twin, archive)
        let here = before.entity(entity.subject, twin)
        if let here, entity.subject != .group, !entry.isRemoved, here.name != entity.name {
          twinNames[entity.name] = here.name
        }
        if here == nil, entity.subject != .group, !entry.isRemoved, clash != .keep {
          summary.removed.append(.init(id: twin, name: entity.name))
        }
        continue
      }
      let namesakes = namesakes[CounterStore.NameKey(name: entity.name.text, subject: entity.subject)] ?? []
      treatments[entity.id] =
        switch entity {
        case .group: treatment(ofGroup: entry, namesakes, archive)
        case .formula: try treatment(ofFormula: entry, namesakes, archive)
        case .counter(let counter): try treatment(of: counter, entry, archive, paired)
        }
    }
  }

  /// The treatment of an entity whose twin is in this journal: an earlier import created the twin, or the archive comes
  /// from here.
  private func treatment(of entry: Archive.Entry, _ twin: Counter.ID, _ archive: Archive) throws -> Treatment {
    // Groups of one name are one group.
    let subject = entry.entity.subject
    if clash == .refuse, !entry.isRemoved, subject != .group, let here = before.entity(subject, twin) {
      throw ArchiveError.clash(here.name.text)
    }
    // An undone creation may be an undone import. The undos of its counts must not undo the counts in their source.
    let isUndone = archive.creationChains[entry.entity.id]?.isUndone ?? false
    guard case .counter(let counter) = entry.entity, clash != .keep, !isUndone, let here = try store.counterEver(twin)
    else { return .represented(twin) }
    return try merged(counter, into: here, line: entry.line)
  }

  func replayedIfKept(_ entry: Archive.Entry, _ archive: Archive) -> Treatment {
    // Without a history, removed entities are not imported.
    archive.firstEvents[entry.entity.id] != nil || !entry.isRemoved ? .replayed(nil) : .dropped
  }

  func treatment(ofGroup entry: Archive.Entry, _ namesakes: [Counter.ID], _ archive: Archive) -> Treatment {
    if let here = try? before.findGroup(entry.entity.name.text) { return .represented(here.id) }
    // A group that was removed in both places was imported before.
    if entry.isRemoved, let twin = namesakes.last { return .represented(twin) }
    return replayedIfKept(entry, archive)
  }

  func treatment(ofFormula entry: Archive.Entry, _ namesakes: [Counter.ID], _ archive: Archive) throws -> Treatment {
    guard !entry.isRemoved else { return namesakes.last.map(Treatment.represented) ?? replayedIfKept(entry, archive) }
    let name = entry.entity.name
    if let here = before.formula(named: name.text), clash != .rename { return .represented(here.id) }
    if before.formula(named: name.text) != nil || (try? before.find(.named(name.text))) != nil {
      return try treatment(ofClash: entry, archive)
    }
    return replayedIfKept(entry, archive)
  }

  /// - Parameter paired: the local entities that are twins of other entities of the archive, under any name. Twins of
  ///   entities whose creation is undone do not count.
  func treatment(
    of counter: Counter, _ entry: Archive.Entry, _ archive: Archive, _ paired: Set<Counter.ID>
  ) throws -> Treatment {
    guard !entry.isRemoved else { return replayedIfKept(entry, archive) }
    let here = self.counter(called: counter.name.text)
    if let here, clash == .merge {
      return try paired.contains(here.id)
        ? replayedIfKept(entry, archive) : merged(counter, into: here, line: entry.line)
    }
    guard here != nil || before.formula(named: counter.name.text) != nil else { return replayedIfKept(entry, archive) }
    return try treatment(ofClash: entry, archive)
  }

  func treatment(ofClash entry: Archive.Entry, _ archive: Archive) throws -> Treatment {
    switch clash {
    case .refuse, .merge: throw ArchiveError.clash(entry.entity.name.text)
    case .keep: return .dropped
    case .rename: return replayedIfKept(entry, archive)
    }
  }

  func merged(_ counter: Counter, into here: Counter, line: Int64?) throws -> Treatment {
    guard here.unit == counter.unit else { throw ArchiveError.otherKind(here.name.text, line: line) }
    // An entity that was removed here is not restored.
    return ledger[here.id] == nil ? .represented(here.id) : .merged(here.id)
  }

  /// A name like `name` that is used neither here nor in the archive.
  func freeName(like name: CounterName) throws -> CounterName {
    try Self.freeName(like: name) { isTaken($0) || reserved.contains($0) }
  }

  /// A free name: `name` with the first free number appended.
  static func freeName(like name: CounterName, isTaken: (CounterName) -> Bool) throws -> CounterName {
    let stem = stem(of: name)
    for number in 2...10_000 {
      let candidate = try CounterName("\(stem)-\(number)")
      if !isTaken(candidate) { return candidate }
    }
    throw ArchiveError.clash(name.text)
  }

  private static func stem(of name: CounterName) -> String {
    String(name.text.unicodeScalars.prefix(CounterName.longest - 6))
  }

  /// Whether an import may have made `other` from `name` by appending a number.
  static func isNumbered(_ other: String, like name: CounterName) -> Bool {
    let start = stem(of: name) + "-"
    return other.hasPrefix(start) && Int(other.dropFirst(start.count)) != nil
  }

  func isTaken(_ name: CounterName) -> Bool {
    ledger.formula(named: name.text) != nil || (try? ledger.find(.named(name.text))) != nil
  }
}
