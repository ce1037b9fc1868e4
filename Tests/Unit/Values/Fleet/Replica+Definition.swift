@testable import Fleet

/// What ``ResetChains`` and ``ResetEffect`` keep up to date, by their definitions: found from all rows.
extension Replica {
  /// All registers that a reset has seen, also by those that it builds on; `nil` if some are not known.
  func definedSight(of entry: Entry) -> [WriterID: Register]? {
    var (seen, visited, next): ([WriterID: Register], Set<Entry>, Entry?) = ([:], [], entry)
    while let entry = next {
      guard let reset = resets[entry], reset.seen.count >= reset.size, visited.insert(entry).inserted else {
        return nil
      }
      seen.merge(reset.seen) { $0.joined(with: $1) }
      next = reset.base
    }
    return seen
  }

  /// The register of each writer up to which the resets that hold have seen it.
  var definedFloor: [WriterID: Register] {
    resets.keys.reduce(into: [:]) { floor, entry in
      guard !undone.contains(entry), let seen = definedSight(of: entry) else { return }
      floor.merge(seen) { $0.joined(with: $1) }
    }
  }

  func definedTotal(of writers: Set<WriterID>? = nil) -> Int128 {
    let floor = definedFloor
    return registers.reduce(0) { sum, row in
      guard writers?.contains(row.key) != false else { return sum }
      return sum + row.value.change - (floor[row.key]?.change ?? 0)
    }
  }

  /// Whether the effect of the resets is that of the definition.
  var isAsDefined: Bool {
    effect.floor == definedFloor && total() == definedTotal()
      && Set(chains.depths.keys) == Set(resets.keys.filter { definedSight(of: $0) != nil })
      && resets.allSatisfy { $1 == Reset(on: $1.base, size: $1.size, seen: $1.seen) }
  }
}
