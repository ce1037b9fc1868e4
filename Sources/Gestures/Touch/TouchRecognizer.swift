/// Recognises gestures on one touch surface: turns frames into contacts that land, move and lift, each in the region in which
/// it landed.
struct TouchRecognizer: Sendable {
  private let surface: TouchSurface
  private let timing: Timing
  private let limits: TouchLimits
  private let interests: [Interest]
  /// All zones that a binding names, the smallest first.
  private let zones: [Zone]
  private var tracker: SlotTracker
  /// The regions that were touched so far.
  private var regions: [TouchRegion] = []
  /// When BTN_TOUCH came without coordinates; the contact lands with the first ones.
  private var pendingLanding: Int64?
  /// When something is due if nothing happens before; the end of time where nothing is.
  private(set) var deadline = Int64.max

  /// For so long after BTN_TOUCH a landing waits for its coordinates, in nanoseconds: one report of a slow panel (25 Hz). The
  /// kernel leaves them out where they are the same as before, so they may also never come. Those that come later only
  /// say where the finger has been since it landed.
  private static let landingPatience: Int64 = 45_000_000

  /// The same in a slot, which a panel reports more often: a finger that goes on from the very place of the one before it
  /// moves from then on.
  private static let slotPatience: Int64 = 25_000_000

  /// After so long without moving, a contact is no finger that counts, in nanoseconds.
  private static let stuckAfter: Int64 = 60_000_000_000

  init(_ surface: TouchSurface, interests: [Interest], timing: Timing) {
    self.surface = surface
    self.timing = timing
    limits = TouchLimits(timing, on: surface)
    self.interests = interests
    var zones: [Zone] = []
    for zone in interests.compactMap(\.zone) where !zones.contains(zone) { zones.append(zone) }
    self.zones = zones.sorted { $0.area < $1.area }
    tracker = SlotTracker(surface)
  }

  mutating func handle(_ frame: Frame, into output: inout GestureOutput) {
    let fingerCount = tracker.reportedFingerCount
    for event in frame.events { tracker.take(event) }
    tracker.settle(isResync: frame.isResync)
    let hasCountChanged = tracker.reportedFingerCount != fingerCount
    if frame.isResync {
      adopt(at: frame.time, into: &output)
    } else if tracker.changed != 0 || hasCountChanged {
      // Fingers that lift come first: where one lifts and another lands in the same frame, two people or two thumbs
      // take turns, and each of them tapped.
      let hasLifted = liftFingers(at: frame.time, into: &output)
      let hasHiddenFingers = max(tracker.reportedFingerCount, fingerCount) > tracker.contacts.count && hasCountChanged
      let isJump = hasHiddenFingers || surface.isSemiMT && (hasLifted || hasLanding)
      moveAndLandFingers(at: frame.time, isJump: isJump, into: &output)
      if hasHiddenFingers { reportHiddenFingers(at: frame.time, into: &output) }
    }
    tracker.endFrame()
  }

  /// Emits what is due until `time`.
  mutating func advance(to time: Int64, into output: inout GestureOutput) {
    guard deadline <= time else { return }
    if let begun = pendingLanding, begun.later(by: Self.landingPatience) <= time { landPending(into: &output) }
    for index in regions.indices where regions[index].deadline ?? .max <= time {
      regions[index].advance(to: time, into: &output)
    }
    reportStuckContacts(at: time, into: &output)
    findDeadline()
  }

  /// Forgets the touches in progress and every contact. Taps that only waited whether more follow were made.
  mutating func cancel(into output: inout GestureOutput) {
    tracker.clear()
    adopt(at: 0, into: &output)
    for index in regions.indices { regions[index].flush(into: &output) }
    findDeadline()
  }

  /// Whether a finger is down that has moved within the last minute.
  var isTouched: Bool { tracker.contacts.contains { $0.rest.map { !$0.isReported } ?? false } || pendingLanding != nil }

  /// Where contacts are now.
  var contacts: [Gesture.Position] {
    tracker.contacts.indices.filter { tracker.contacts[$0].region != nil }.compactMap(position)
  }

  // MARK: Contacts

  /// Returns whether any lifted.
  private mutating func liftFingers(at time: Int64, into output: inout GestureOutput) -> Bool {
    var hasLifted = false
    for index in Bits(tracker.changed) {
      let isGone = tracker.contacts[index].isReplaced || !tracker.isDown(index)
      if isGone, pendingLanding != nil { landPending(into: &output) }
      if tracker.hasComeAndGone(index), let position = position(of: index) {
        output.report(.nothing(.withinReport, position))
      }
      guard let region = tracker.contacts[index].region, isGone else { continue }
      tracker.contacts[index].region = nil
      tracker.contacts[index].rest = nil
      hasLifted = true
      // The kernel gives a palm a new id along with the tool.
      if tracker.isPalm(index) {
        regions[region].remove(index, as: .palm, at: time, into: &output)
      } else if tracker.contacts[index].isStray {
        regions[region].remove(index, as: .jumped, at: time, into: &output)
      } else {
        regions[region].lift(index, at: time, into: &output)
      }
      findDeadline()
    }
    return hasLifted
  }

  /// Whether any contact of the frame is a finger that was not there before.
  private var hasLanding: Bool {
    Bits(tracker.changed).contains { tracker.contacts[$0].region == nil && tracker.isDown($0) }
  }

  /// The device says that more fingers are down than it shows: they are where the others are.
  private mutating func reportHiddenFingers(at time: Int64, into output: inout GestureOutput) {
    guard let region = tracker.contacts.lazy.compactMap(\.region).first else { return }
    regions[region].report(fingers: tracker.reportedFingerCount, at: time, into: &output)
    findDeadline()
  }

  /// - Parameter isJump: whether contacts changed their places only because fingers came or went.
  private mutating func moveAndLandFingers(at time: Int64, isJump: Bool, into output: inout GestureOutput) {
    for index in Bits(tracker.changed) {
      tracker.finish(index)
      guard tracker.isDown(index) else { continue }
      guard let place = place(of: index) else {
        reportOutside(index, into: &output)
        continue
      }
      if let region = tracker.contacts[index].region {
        let isLanding = tracker.contacts[index].awaitsPlaceUntil.map { time <= $0 } ?? false
        let hasLateCoordinates = isLanding && !tracker.contacts[index].isPlaceStale
        let isShift = isJump || hasLateCoordinates
        if isShift { regions[region].shift(index, to: place) }
        if !tracker.contacts[index].isPlaceStale { tracker.contacts[index].awaitsPlaceUntil = nil }
        if !isShift { move(index, in: region, to: place, at: time, into: &output) }
        noteMove(of: index, to: place, at: time)
      } else if surface.reporting != .single || !tracker.contacts[index].isPlaceStale {
        land(index, at: place, pendingLanding ?? time, into: &output)
        pendingLanding = nil
      } else if pendingLanding == nil {
        pendingLanding = time
        findDeadline()
      }
    }
  }

  /// Reports a contact that is outside of the surface, once.
  private mutating func reportOutside(_ index: Int, into output: inout GestureOutput) {
    guard !tracker.contacts[index].isReportedOutside, let x = tracker.contacts[index].x,
      let y = tracker.contacts[index].y
    else { return }
    tracker.contacts[index].isReportedOutside = true
    output.report(.outside(x: x, y: y))
  }

  private mutating func move(
    _ index: Int, in region: Int, to place: Stroke.Vector, at time: Int64, into output: inout GestureOutput
  ) {
    guard let position = position(of: index), regions[region].move(index, to: place, position, at: time) else { return }
    // The report of its landing had a wrong place.
    let right = self.region(at: position)
    if right != region, let finger = regions[region].release(index, at: time, into: &output) {
      regions[right].take(finger, at: time)
      tracker.contacts[index].region = right
    }
    findDeadline()
  }

  /// Nil where the device reports none, or one that lies outside of the surface.
  private func place(of index: Int) -> Stroke.Vector? { spot(of: index).map { surface.place($0.x, $0.y) } }

  private func position(of index: Int) -> Gesture.Position? {
    spot(of: index).map { surface.position($0.x, $0.y) }
  }

  private func spot(of index: Int) -> (x: Int32, y: Int32)? {
    guard let x = tracker.contacts[index].x, let y = tracker.contacts[index].y, surface.contains(x, y) else {
      return nil
    }
    return (x, y)
  }

  /// The contact that is outside of the surface now, in the device's own numbers.
  var ghost: InputReport? {
    for contact in tracker.contacts where contact.id >= 0 {
      if let x = contact.x, let y = contact.y, !surface.contains(x, y) { return .outside(x: x, y: y) }
    }
    return nil
  }

  private mutating func land(
    _ index: Int, at place: Stroke.Vector, _ time: Int64, into output: inout GestureOutput
  ) {
    guard let position = position(of: index) else { return }
    // A finger that the panel only lost may be on its way through another region by now.
    let lost = regions.indices.compactMap { index in
      regions[index].distanceToLostFinger(at: place, time).map { (region: index, distance: $0) }
    }
    let region = lost.min { $0.distance < $1.distance }?.region ?? region(at: position)
    tracker.contacts[index].region = region
    if tracker.contacts[index].isPlaceStale {
      let isSlot = surface.reporting != .single
      tracker.contacts[index].awaitsPlaceUntil = isSlot ? time.later(by: Self.slotPatience) : .max
    }
    tracker.contacts[index].rest = Contact.Rest(place: place, since: time, landing: time)
    regions[region].land(index, at: place, position, time, into: &output)
    findDeadline()
  }

  /// No coordinates came with BTN_TOUCH: they are the same as those of the contact before.
  private mutating func landPending(into output: inout GestureOutput) {
    guard let time = pendingLanding else { return }
    pendingLanding = nil
    if let place = place(of: 0) { land(0, at: place, time, into: &output) }
  }

  /// Takes the contacts as they stand, without judging how they came to be: the touches they belong to are spoilt.
  private mutating func adopt(at time: Int64, into output: inout GestureOutput) {
    pendingLanding = nil
    for region in regions.indices { regions[region].forget(at: time, into: &output) }
    for index in tracker.contacts.indices {
      // A contact that has wandered still belongs to where it landed.
      let known = tracker.contacts[index].isReplaced ? nil : tracker.contacts[index].region
      tracker.finish(index)
      tracker.contacts[index].region = nil
      guard tracker.isDown(index), let place = place(of: index), let position = position(of: index) else {
        tracker.contacts[index].rest = nil
        continue
      }
      let region = known ?? region(at: position)
      tracker.contacts[index].region = region
      if known == nil { tracker.contacts[index].rest = nil }
      noteMove(of: index, to: place, at: time)
      regions[region].adopt(index, at: place, position, time)
    }
    findDeadline()
  }

  // MARK: Contacts that never move, or never lift

  private mutating func noteMove(of index: Int, to place: Stroke.Vector, at time: Int64) {
    guard let rest = tracker.contacts[index].rest else {
      tracker.contacts[index].rest = Contact.Rest(place: place, since: time, landing: time)
      return
    }
    guard (place - rest.place).length > limits.hysteresis else { return }
    tracker.contacts[index].rest = Contact.Rest(place: place, since: time, landing: rest.landing)
  }

  private mutating func reportStuckContacts(at time: Int64, into output: inout GestureOutput) {
    let seconds = Int(Self.stuckAfter / 1_000_000_000)
    for index in tracker.contacts.indices {
      guard let rest = tracker.contacts[index].rest else { continue }
      if let landing = rest.landing, landing.later(by: Self.stuckAfter) <= time {
        tracker.contacts[index].rest?.landing = nil
        if rest.since != landing, let position = position(of: index) {
          output.report(.neverLifts(position, seconds: seconds))
        }
      }
      guard !rest.isReported, rest.since.later(by: Self.stuckAfter) <= time else { continue }
      tracker.contacts[index].rest?.isReported = true
      if let position = position(of: index) { output.report(.stuck(position, seconds: seconds)) }
    }
  }

  // MARK: Regions

  /// The region at a place; there is one for each set of zones that lie on each other.
  private mutating func region(at position: Gesture.Position) -> Int {
    let here = zones.isEmpty ? [] : zones.filter { $0.contains(position) }
    if let known = regions.firstIndex(where: { $0.zones == here }) { return known }
    regions.append(TouchRegion(zones: here, interests: interests, on: surface, timing: timing, common: limits))
    return regions.count - 1
  }

  private mutating func findDeadline() {
    deadline = regions.lazy.compactMap(\.deadline).min() ?? .max
    if let pendingLanding { deadline = min(deadline, pendingLanding.later(by: Self.landingPatience)) }
    for contact in tracker.contacts {
      guard let rest = contact.rest else { continue }
      if let landing = rest.landing { deadline = min(deadline, landing.later(by: Self.stuckAfter)) }
      if !rest.isReported { deadline = min(deadline, rest.since.later(by: Self.stuckAfter)) }
    }
  }
}

/// The places of the bits that are set in a word, lowest first.
struct Bits: Sequence, IteratorProtocol {
  private var word: UInt64

  init(_ word: UInt64) { self.word = word }

  mutating func next() -> Int? {
    guard word != 0 else { return nil }
    defer { word &= word - 1 }
    return word.trailingZeroBitCount
  }
}
