/// Protocol A: every frame lists all contacts, each closed by SYN_MT_REPORT, and usually without IDs.
///
/// A contact continues as the nearest contact of the next frame, if a finger can move that far between two frames. If a
/// finger lifts in the frame in which another finger lands, the other finger is a new contact.
struct ProtocolATracker: Equatable, Sendable {
  /// The maximum number of contacts of a frame that are used; the protocol has no limit.
  static let limit = 16

  private struct Entry: Equatable {
    var id: Int32?
    var x: Int32?
    var y: Int32?
    var tool: Int32 = 0
    var distance: Int32 = 0
    var size: Int32?
    var pressure: Int32?

    /// Whether the entry is a lifted finger, on a panel that lists lifted fingers.
    func isEmpty(_ isSized: Bool, _ isWeighed: Bool) -> Bool { isSized && size == 0 || isWeighed && pressure == 0 }
  }

  private let surface: TouchSurface
  /// The longest distance of a finger from the frame in which it landed to the next one: 2.4 m/s at 60 frames a second.
  /// In later frames the speed of the finger is known, and it may start to move within a frame, or treble its speed.
  private let farthest: Double
  private var entry = Entry()
  private var entries: [Entry] = []
  /// The distance that each contact moved in its last frame; nil in its first frame, infinite if frames were lost.
  private var steps: [Double?] = Array(repeating: nil, count: limit)
  /// The time at which each contact appeared.
  private var landings = Array(repeating: Int64.min, count: limit)
  /// Whether the panel has reported sizes.
  private var isSized = false
  /// Whether the panel has reported pressures.
  private var isWeighed = false
  /// Whether the frame lists contacts. A frame without a list leaves the contacts unchanged.
  private var isStated = false

  init(_ surface: TouchSurface) {
    self.surface = surface
    farthest = surface.measure(.init(fraction: 0.25, millimetres: 40))
  }

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
    case EventCode.ABS_MT_PRESSURE: entry.pressure = event.value
    case EventCode.ABS_MT_DISTANCE: entry.distance = event.value
    default: break
    }
  }

  /// Removes all contacts. Many panels report the end of all contacts only by BTN_TOUCH.
  mutating func empty() {
    isStated = true
    entries.removeAll(keepingCapacity: true)
  }

  /// Forgets the list of the frame.
  mutating func clear() {
    entry = Entry()
    entries.removeAll(keepingCapacity: true)
    isStated = false
  }

  /// Applies the frame's list to the slots, and marks those that changed.
  ///
  /// - Parameter isResync: whether frames may have been lost before this one.
  mutating func endFrame(_ contacts: inout [Contact], _ changed: inout UInt64, at time: Int64, isResync: Bool) {
    endList()
    if isResync { allowAnyStep() }
    guard isStated else { return }
    let matches = matches(of: contacts, at: time)
    var taken: UInt64 = 0
    for index in contacts.indices where contacts[index].id >= 0 {
      changed |= 1 << UInt64(index)
      guard let match = matches[index] else {
        contacts[index].identify(-1)
        continue
      }
      taken |= 1 << UInt64(match)
      steps[index] = isResync ? .infinity : distance(contacts[index], entries[match])
      fill(&contacts[index], from: entries[match])
    }
    for (number, entry) in entries.enumerated()
    where taken & (1 << UInt64(number)) == 0 && !entry.isEmpty(isSized, isWeighed) {
      guard let free = contacts.firstIndex(where: { $0.id < 0 && !$0.isReplaced }) else { break }
      changed |= 1 << UInt64(free)
      contacts[free].identify(entry.id ?? 0)
      steps[free] = isResync ? .infinity : nil
      landings[free] = time
      fill(&contacts[free], from: entry)
    }
    clear()
  }

  /// Whether the frame's list has lost a contact and has another one instead, far away. Two hands that take turns, or a
  /// wrong report, may be the cause; on a panel with IDs only hands.
  func hasExchange(of contacts: [Contact], at time: Int64) -> Bool {
    guard entries.contains(where: { !$0.isEmpty(isSized, isWeighed) && $0.id == nil }) else { return false }
    let kept = matches(of: contacts, at: time).count { $0 != nil }
    return kept < contacts.count { $0.id >= 0 } && kept < entries.count
  }

  /// Whether the frame's list has again the contacts that an earlier list had lost.
  func restores(_ contacts: [Contact], lostIn earlier: ProtocolATracker, at time: Int64) -> Bool {
    let (lost, found) = (earlier.matches(of: contacts, at: time), matches(of: contacts, at: time))
    return contacts.indices.allSatisfy { contacts[$0].id < 0 || lost[$0] != nil || found[$0] != nil }
  }

  /// Whether the frame's list has a contact that was new in an earlier list.
  func retains(contactsThatAreNewIn earlier: ProtocolATracker, beside contacts: [Contact], at time: Int64) -> Bool {
    let known = Set(earlier.matches(of: contacts, at: time).compactMap(\.self))
    return earlier.entries.indices.contains { number in
      !known.contains(number) && entries.contains { distance(earlier.entries[number], $0) <= farthest }
    }
  }

  /// Whether the list continues a fast stroke: the only contact was at a new position in an earlier list, and has moved
  /// on since. Hands that take turns would rest.
  func continuesStroke(of contacts: [Contact], through earlier: ProtocolATracker) -> Bool {
    let down = contacts.filter { $0.id >= 0 }
    guard down.count == 1, earlier.entries.count == 1, entries.count == 1 else { return false }
    let (way, onward) = (distance(down[0], earlier.entries[0]), distance(earlier.entries[0], entries[0]))
    return way <= farthest && onward > way / 4 && distance(down[0], entries[0]) > way
  }

  /// Lets contacts move any distance to the next list.
  mutating func allowAnyStep() { steps = Array(repeating: .infinity, count: Self.limit) }

  /// Completes the frame's list: some drivers omit SYN_MT_REPORT after the only contact.
  mutating func endList() {
    if entry.x != nil { close() }
  }

  private mutating func close() {
    isStated = true
    if entry.x != nil, entry.y != nil, entries.count < Self.limit { entries.append(entry) }
    isSized = isSized || entry.size ?? 0 > 0
    isWeighed = isWeighed || entry.pressure ?? 0 > 0
    entry = Entry()
  }

  private func fill(_ contact: inout Contact, from entry: Entry) {
    contact.x = entry.x
    contact.y = entry.y
    contact.moved = [.x, .y]
    contact.tool = entry.tool
    contact.distance = entry.distance
    // If the size or the pressure is omitted, the contact keeps its value.
    contact.size = entry.size ?? contact.largest
    contact.pressure = entry.pressure ?? contact.hardest
  }

  /// The entry with which each contact continues. The closest pairs are matched first: if a finger lifts, the finger
  /// beside it stays and does not jump into its place.
  private func matches(of contacts: [Contact], at time: Int64) -> [Int?] {
    let isAlone = entries.count == 1 && contacts.count { $0.id >= 0 } == 1
    let lengths = contacts.indices.map { index -> [Double?] in
      guard contacts[index].id >= 0 else { return [] }
      let isMislaid = isAlone && isMislaid(index, at: time)
      return entries.map { length(from: index, contacts[index], to: $0, isMislaid) }
    }
    var matches = lengths.map { lengths in
      lengths.indices.filter { lengths[$0] != nil }.min { lengths[$0] ?? 0 < lengths[$1] ?? 0 }
    }
    var taken: UInt64 = 0
    for case let match? in matches {
      guard taken & (1 << UInt64(match)) == 0 else { break }
      taken |= 1 << UInt64(match)
    }
    guard matches.lazy.compactMap(\.self).count != taken.nonzeroBitCount else { return matches }
    var pairs: [(length: Double, index: Int, number: Int)] = []
    for index in contacts.indices where contacts[index].id >= 0 {
      for (number, length) in lengths[index].enumerated() {
        if let length { pairs.append((length, index, number)) }
      }
    }
    matches = contacts.map { _ in nil }
    taken = 0
    for pair in pairs.sorted(by: { $0.length < $1.length })
    where matches[pair.index] == nil && taken & (1 << UInt64(pair.number)) == 0 {
      matches[pair.index] = pair.number
      taken |= 1 << UInt64(pair.number)
    }
    return matches
  }

  /// The distance from a contact to an entry; nil if their IDs differ, or if no finger moves so far.
  private func length(from index: Int, _ contact: Contact, to entry: Entry, _ isMislaid: Bool) -> Double? {
    if let id = entry.id { return id == contact.id ? -1 : nil }
    let length = distance(contact, entry)
    let reach = steps[index].map { farthest / 4 + 3 * $0 } ?? farthest
    return length <= reach || isMislaid ? length : nil
  }

  /// Whether the positions of a single contact may have been wrong so far: a finger does not lift after one report, or
  /// so soon, while another finger lands.
  private func isMislaid(_ index: Int, at time: Int64) -> Bool {
    steps[index] == nil || time.elapsed(since: landings[index]) ?? .max < TouchLimits.shortestTap
  }

  private func distance(_ contact: Contact, _ entry: Entry) -> Double {
    (surface.place(entry.x ?? 0, entry.y ?? 0) - surface.place(contact.x ?? 0, contact.y ?? 0)).length
  }

  private func distance(_ one: Entry, _ other: Entry) -> Double {
    (surface.place(other.x ?? 0, other.y ?? 0) - surface.place(one.x ?? 0, one.y ?? 0)).length
  }
}
