/// Recognises what fingers do on one touch surface.
struct TouchRecognizer: Sendable {
  private let surface: TouchSurface
  private let limits: TouchLimits
  private let wishes: [Wish]
  /// All zones that are wished for, the smallest first.
  private let zones: [Zone]
  private var table: ContactTable
  /// The areas that were touched so far.
  private var areas: [TouchArea] = []
  /// When something is due if nothing happens before; the end of time where nothing is.
  private(set) var deadline = Int64.max

  init(_ surface: TouchSurface, wishes: [Wish], timing: Timing) {
    self.surface = surface
    limits = TouchLimits(timing, on: surface)
    self.wishes = wishes
    var zones: [Zone] = []
    for zone in wishes.compactMap(\.zone) where !zones.contains(zone) { zones.append(zone) }
    self.zones = zones.sorted { $0.area < $1.area }
    table = ContactTable(surface)
  }

  mutating func handle(_ frame: Frame, into output: inout GestureOutput) {
    let told = table.told
    for event in frame.events { table.take(event) }
    table.settle()
    if frame.isResync {
      adopt(at: frame.time)
    } else if table.changed != 0 || table.told != told {
      // Fingers that lift come first: where one lifts and another lands in the same frame, two people or two thumbs
      // take turns, and each of them tapped.
      let hasLifted = liftFingers(at: frame.time, into: &output)
      let isHidden = max(table.told, told) > table.contacts.count && table.told != told
      let isJump = isHidden || surface.isBox && (hasLifted || hasLanding)
      moveAndLandFingers(at: frame.time, isJump: isJump, into: &output)
      if isHidden { tell(at: frame.time, into: &output) }
    }
    table.changed = 0
  }

  /// Fires what is due until `time`.
  mutating func advance(to time: Int64, into output: inout GestureOutput) {
    guard deadline <= time else { return }
    for index in areas.indices where areas[index].deadline ?? .max <= time {
      let isStill = isStill(index, at: time)
      areas[index].advance(to: time, isStill: isStill, into: &output)
    }
    findDeadline()
  }

  /// Forgets the touches in progress and every contact. Taps that only waited whether more follow were made.
  mutating func cancel(into output: inout GestureOutput) {
    table.clear()
    adopt(at: 0)
    for index in areas.indices { areas[index].flush(into: &output) }
    findDeadline()
  }

  // MARK: Contacts

  /// Returns whether any lifted.
  private mutating func liftFingers(at time: Int64, into output: inout GestureOutput) -> Bool {
    var hasLifted = false
    for index in Bits(table.changed) {
      guard var stroke = table.contacts[index].stroke else { continue }
      guard table.contacts[index].isReplaced || !table.isDown(index) else { continue }
      table.contacts[index].stroke = nil
      hasLifted = true
      let area = table.contacts[index].area
      stroke.lift(at: time, limits: limits)
      // What turns out to be a palm was no finger before either; the kernel gives it a new id along with the tool.
      if table.isPalm(index) {
        areas[area].spoil(down: count(in: area), at: time)
        areas[area].flush(into: &output)
      } else {
        areas[area].lift(stroke, into: &output)
      }
      findDeadline()
    }
    return hasLifted
  }

  /// Whether any contact of the frame is a finger that was not there before.
  private var hasLanding: Bool { Bits(table.changed).contains { table.contacts[$0].stroke == nil && table.isDown($0) } }

  /// The device says that more fingers are down than it shows: they are where the others are.
  private mutating func tell(at time: Int64, into output: inout GestureOutput) {
    guard let index = table.contacts.firstIndex(where: { $0.stroke != nil }) else { return }
    areas[table.contacts[index].area].tell(table.told, at: time, into: &output)
    findDeadline()
  }

  /// - Parameter isJump: whether contacts changed their places only because fingers came or went.
  private mutating func moveAndLandFingers(at time: Int64, isJump: Bool, into output: inout GestureOutput) {
    for index in Bits(table.changed) {
      table.finish(index)
      guard table.isDown(index), let x = table.contacts[index].x, let y = table.contacts[index].y else { continue }
      let place = surface.place(x, y)
      if table.contacts[index].stroke == nil {
        let position = surface.position(x, y)
        // A contact that only seemed to lift may be on its way through somewhere else by now.
        let area = areas.firstIndex { $0.isLeft(by: place, time) } ?? area(at: position)
        table.contacts[index].area = area
        table.contacts[index].stroke = areas[area].land(at: place, position, time, into: &output)
        findDeadline()
      } else if isJump {
        table.contacts[index].stroke?.shift(to: place)
      }
      table.contacts[index].stroke?.move(to: place, at: time, limits: limits)
    }
  }

  /// Takes the contacts as they stand, without judging how they came to be: the touches they belong to are spoilt.
  private mutating func adopt(at time: Int64) {
    for index in table.contacts.indices {
      // A contact that has wandered still belongs to where it landed.
      let isKnown = table.contacts[index].stroke != nil && !table.contacts[index].isReplaced
      table.finish(index)
      table.contacts[index].stroke = nil
      guard table.isDown(index), let x = table.contacts[index].x, let y = table.contacts[index].y else { continue }
      if !isKnown { table.contacts[index].area = area(at: surface.position(x, y)) }
      table.contacts[index].stroke = Stroke(from: surface.place(x, y), at: time)
    }
    for area in areas.indices { areas[area].spoil(down: count(in: area), at: time) }
    findDeadline()
  }

  // MARK: Areas

  /// The area at a place; there is one for each set of zones that lie on each other.
  private mutating func area(at position: Gesture.Position) -> Int {
    let here = zones.isEmpty ? [] : zones.filter { $0.contains(position) }
    if let known = areas.firstIndex(where: { $0.zones == here }) { return known }
    areas.append(TouchArea(zones: here, wishes: wishes, on: surface, common: limits))
    return areas.count - 1
  }

  private func count(in area: Int) -> Int {
    table.contacts.count { $0.stroke != nil && $0.area == area }
  }

  /// Whether all fingers in an area are where they landed, devices only reporting what changes.
  private func isStill(_ area: Int, at time: Int64) -> Bool {
    table.contacts.allSatisfy { contact in
      guard var stroke = contact.stroke, contact.area == area else { return true }
      stroke.lift(at: time, limits: limits)
      return !stroke.hasStrayed && stroke.net.length <= limits.rest
    }
  }

  private mutating func findDeadline() {
    deadline = areas.lazy.compactMap(\.deadline).min() ?? .max
  }
}

/// The places of the bits that are set in a word, lowest first.
private struct Bits: Sequence, IteratorProtocol {
  private var word: UInt64

  init(_ word: UInt64) { self.word = word }

  mutating func next() -> Int? {
    guard word != 0 else { return nil }
    defer { word &= word - 1 }
    return word.trailingZeroBitCount
  }
}
