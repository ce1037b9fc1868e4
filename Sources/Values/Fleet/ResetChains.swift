/// The resets that are known completely, each with all resets below it. The chains follow from the resets, and are
/// updated with each of them.
struct ResetChains: Equatable, Sendable {
  /// The number of resets in the chain that ends with a complete reset.
  private(set) var depths: [Entry: Int] = [:]
  /// The reset with the longest chain, on which the next one builds.
  private(set) var deepest: Entry?
  /// The resets that build on each reset. A reset that others build on may itself be unknown here.
  private var followers: [Entry: Set<Entry>] = [:]

  init() {}

  init(_ resets: [Entry: Reset]) {
    for (entry, reset) in resets { note(entry, on: reset.base) }
    for entry in resets.keys { _ = complete(entry, of: resets) }
  }

  /// Adds a reset that was unknown.
  mutating func note(_ entry: Entry, on base: Entry?) {
    if let base { followers[base, default: []].insert(entry) }
  }

  /// Updates the chains after a reset has grown.
  ///
  /// - Returns: the resets that are complete from now on.
  mutating func complete(_ entry: Entry, of resets: [Entry: Reset]) -> [Entry] {
    var found: [Entry] = []
    var open = [entry]
    while let entry = open.popLast() {
      guard depths[entry] == nil, let reset = resets[entry], reset.hasAllRows else { continue }
      // A circle of resets is never complete.
      guard let depth = reset.base.map({ depths[$0] }) ?? 0 else { continue }
      depths[entry] = depth + 1
      let former = deepest.map { (depths[$0] ?? 0, $0) }
      if former.map({ $0 < (depth + 1, entry) }) ?? true { deepest = entry }
      found.append(entry)
      open += followers[entry] ?? []
    }
    return found
  }
}
