@testable import Fleet

/// What ``ResetEffect`` keeps up to date, by its definition: found from all rows.
extension Replica {
  /// The latest register of each writer in a reset that holds.
  var definedFloor: [WriterID: Register] {
    resets.reduce(into: [:]) { floor, reset in
      guard reset.value.isComplete, !undone.contains(reset.key) else { return }
      floor.merge(reset.value.seen, uniquingKeysWith: max)
    }
  }

  func definedTotal(of writers: Set<WriterID>? = nil) -> Int128 {
    let floor = definedFloor
    return registers.reduce(0) { sum, row in
      guard writers?.contains(row.key) != false else { return sum }
      guard let least = floor[row.key] else { return sum + row.value.change }
      return row.value.number > least.number ? sum + row.value.change - least.change : sum
    }
  }

  /// Whether the effect of the resets is that of the definition.
  var isAsDefined: Bool { effect.floor == definedFloor && total() == definedTotal() }
}
