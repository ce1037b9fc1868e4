/// Protocol A: every frame lists all contacts, each closed by SYN_MT_REPORT, and mostly without saying which is
/// which. A contact is taken to be the nearest one of the frame before.
struct ProtocolATracker: Equatable, Sendable {
  /// The most contacts of one frame that are looked at; the protocol has no limit of its own.
  static let limit = 16

  private struct Entry: Equatable {
    var id: Int32?
    var x: Int32?
    var y: Int32?
    var tool: Int32 = 0
    var distance: Int32 = 0
    var size: Int32 = 0
  }

  private var entry = Entry()
  private var entries: [Entry] = []
  /// Whether the frame said anything of contacts; one that did not leaves them as they are.
  private var isStated = false

  mutating func take(_ event: InputEvent) {
    guard event.type == EventCode.EV_ABS else {
      if event.code == EventCode.SYN_MT_REPORT { close() }
      return
    }
    switch event.code {
    case EventCode.ABS_MT_TRACKING_ID: entry.id = event.value
    case EventCode.ABS_MT_POSITION_X: entry.x = event.value
    case EventCode.ABS_MT_POSITION_Y: entry.y = event.value
    case EventCode.ABS_MT_TOOL_TYPE: entry.tool = event.value
    case EventCode.ABS_MT_TOUCH_MAJOR: entry.size = event.value
    case EventCode.ABS_MT_DISTANCE: entry.distance = event.value
    default: break
    }
  }

  /// All contacts are gone: many panels of this kind say so through BTN_TOUCH alone.
  mutating func empty() {
    isStated = true
    entries.removeAll(keepingCapacity: true)
  }

  /// Carries the frame's list over to the slots, and marks those that changed.
  mutating func settle(_ contacts: inout [Contact], _ changed: inout UInt64) {
    // Some drivers leave out the mark behind the only contact.
    if entry.x != nil { close() }
    guard isStated else { return }
    let matches = matches(of: contacts)
    var taken: UInt64 = 0
    for index in contacts.indices where contacts[index].id >= 0 {
      changed |= 1 << UInt64(index)
      guard let match = matches[index] else {
        contacts[index].identify(-1)
        continue
      }
      taken |= 1 << UInt64(match)
      fill(&contacts[index], from: entries[match])
    }
    for (number, entry) in entries.enumerated() where taken & (1 << UInt64(number)) == 0 {
      guard let free = contacts.firstIndex(where: { $0.id < 0 && !$0.isReplaced }) else { break }
      changed |= 1 << UInt64(free)
      contacts[free].identify(entry.id ?? 0)
      fill(&contacts[free], from: entry)
    }
    entries.removeAll(keepingCapacity: true)
    isStated = false
  }

  private mutating func close() {
    isStated = true
    if entry.x != nil, entry.y != nil, entries.count < Self.limit { entries.append(entry) }
    entry = Entry()
  }

  private func fill(_ contact: inout Contact, from entry: Entry) {
    contact.x = entry.x
    contact.y = entry.y
    contact.tool = entry.tool
    contact.distance = entry.distance
    contact.size = entry.size
  }

  /// The entry that each contact goes on as. The pairs that lie closest together come first: where a finger lifted, the
  /// one beside it stayed where it was and did not jump into the other's place.
  private func matches(of contacts: [Contact]) -> [Int?] {
    var matches = contacts.map { $0.id < 0 ? nil : nearest(to: $0) }
    var taken: UInt64 = 0
    for case let match? in matches {
      guard taken & (1 << UInt64(match)) == 0 else { break }
      taken |= 1 << UInt64(match)
    }
    guard matches.lazy.compactMap(\.self).count != taken.nonzeroBitCount else { return matches }
    var pairs: [(square: Double, index: Int, number: Int)] = []
    for index in contacts.indices where contacts[index].id >= 0 {
      for number in entries.indices {
        if let square = square(contacts[index], entries[number]) { pairs.append((square, index, number)) }
      }
    }
    matches = contacts.map { _ in nil }
    taken = 0
    for pair in pairs.sorted(by: { $0.square < $1.square })
    where matches[pair.index] == nil && taken & (1 << UInt64(pair.number)) == 0 {
      matches[pair.index] = pair.number
      taken |= 1 << UInt64(pair.number)
    }
    return matches
  }

  private func nearest(to contact: Contact) -> Int? {
    var best: Int?
    var least = Double.infinity
    for number in entries.indices {
      if let square = square(contact, entries[number]), square < least { (best, least) = (number, square) }
    }
    return best
  }

  /// The square of the way from a contact to an entry; nil where both say that they are not the same.
  private func square(_ contact: Contact, _ entry: Entry) -> Double? {
    if let id = entry.id { return id == contact.id ? -1 : nil }
    let across = Double(entry.x ?? 0) - Double(contact.x ?? 0)
    let down = Double(entry.y ?? 0) - Double(contact.y ?? 0)
    return across * across + down * down
  }
}
