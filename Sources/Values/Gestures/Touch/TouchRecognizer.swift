/// Recognises gestures on one touch surface: turns frames into contacts that land, move and lift.
struct TouchRecognizer: Sendable {
  private let surface: TouchSurface
  let limits: TouchLimits
  var tracker: SlotTracker
  private var fingers: FingerGroups
  /// The time of a BTN_TOUCH without coordinates; the contact lands with its first coordinates.
  private var pendingLanding: Int64?
  /// The last contact outside of the surface that would be on the surface with exchanged axes.
  private var transposition: InputReport?
  /// The time at which ``advance(to:into:)`` must be called; the end of time if nothing waits.
  private(set) var deadline = Int64.max

  /// The time within which the coordinates of a landing may come, in nanoseconds: one report of a slow panel (25 Hz).
  /// The coordinates may never come, because the kernel omits unchanged coordinates. A finger that starts at the
  /// position of the previous one is then known when it moves; if only BTN_TOUCH stated its landing, the next
  /// coordinates count as the coordinates of the landing.
  private static let landingPatience: Int64 = 45_000_000

  /// ``landingPatience`` for a slot: one report of the slowest known panels with slots (30 Hz,
  /// raspberrypi/linux#4749).
  private static let slotPatience: Int64 = 35_000_000

  /// The time without a move after which a contact no longer counts as a finger, in nanoseconds.
  static let stuckAfter: Int64 = 60_000_000_000

  init(_ surface: TouchSurface, interests: [Interest], timing: Timing) {
    self.surface = surface
    limits = TouchLimits(timing, on: surface)
    tracker = SlotTracker(surface)
    fingers = FingerGroups(on: surface, interests: interests, timing: timing, common: limits)
  }

  mutating func handle(_ frame: Frame, into output: inout GestureOutput) {
    guard case .typeA = surface.reporting else { return apply(frame, into: &output) }
    for frame in tracker.confirm(by: frame) { apply(frame, into: &output) }
  }

  private mutating func apply(_ frame: Frame, into output: inout GestureOutput) {
    let fingerCount = tracker.reportedFingerCount
    for event in frame.events { tracker.take(event) }
    tracker.endFrame(at: frame.time, isResync: frame.isResync)
    let hasCountChanged = tracker.reportedFingerCount != fingerCount
    if frame.isResync {
      adopt(at: frame.time, into: &output)
    } else if tracker.changed != 0 || hasCountChanged {
      // Lifts are handled first: if one finger lifts and another lands in the same frame, two people or two thumbs take
      // turns, and each of them tapped.
      let hasLifted = liftFingers(at: frame.time, into: &output)
      let hasHiddenFingers = max(tracker.reportedFingerCount, fingerCount) > tracker.contacts.count && hasCountChanged
      let isJump = hasHiddenFingers || surface.isSemiMT && (hasLifted || hasLanding)
      moveAndLandFingers(at: frame.time, isJump: isJump, into: &output)
      if hasHiddenFingers { reportHiddenFingers(at: frame.time, into: &output) }
    }
    tracker.endFrame()
  }

  /// Completes the gestures that are due until `time`.
  mutating func advance(to time: Int64, into output: inout GestureOutput) {
    guard deadline <= time else { return }
    if let begun = pendingLanding, begun.later(by: Self.landingPatience) <= time { landPending(into: &output) }
    fingers.advance(to: time, into: &output)
    reportStuckContacts(at: time, into: &output)
    findDeadline()
  }

  /// Forgets the touches in progress and every contact. Emits taps that only waited for further ones.
  mutating func cancel(into output: inout GestureOutput) {
    tracker.clear()
    adopt(at: 0, into: &output)
    fingers.flush(into: &output)
    findDeadline()
  }

  /// Whether a finger is down that has moved within the last minute.
  var isTouched: Bool { tracker.contacts.contains { $0.rest.map { !$0.isReported } ?? false } || pendingLanding != nil }

  var contacts: [Gesture.Position] {
    tracker.contacts.indices.filter { tracker.contacts[$0].isFinger }.compactMap(position)
  }

  // MARK: Contacts

  /// Lifts fingers; returns whether any lifted.
  private mutating func liftFingers(at time: Int64, into output: inout GestureOutput) -> Bool {
    var hasLifted = false
    for index in Bits(tracker.changed) {
      let isGone = tracker.contacts[index].isReplaced || !tracker.isDown(index)
      if isGone, pendingLanding != nil { landPending(into: &output) }
      if tracker.hasComeAndGone(index), let position = position(of: index) {
        output.report(.nothing(.withinReport, position))
      }
      guard tracker.contacts[index].isFinger, isGone else { continue }
      tracker.contacts[index].isFinger = false
      tracker.contacts[index].rest = nil
      hasLifted = true
      // The kernel gives a palm a new ID when it changes the tool.
      if tracker.isPalm(index) {
        fingers.remove(index, as: .palm, at: time, into: &output)
      } else {
        fingers.lift(index, at: time, into: &output)
      }
      findDeadline()
    }
    return hasLifted
  }

  /// Whether a contact of the frame is a new finger.
  private var hasLanding: Bool {
    Bits(tracker.changed).contains { !tracker.contacts[$0].isFinger && tracker.isDown($0) }
  }

  /// Handles a count of fingers that exceeds the contacts: the other fingers are assumed to be at the first contact.
  private mutating func reportHiddenFingers(at time: Int64, into output: inout GestureOutput) {
    guard let contact = tracker.contacts.firstIndex(where: \.isFinger) else { return }
    fingers.report(fingers: tracker.reportedFingerCount, with: contact, at: time, into: &output)
    findDeadline()
  }

  /// - Parameter isJump: whether contacts changed their positions only because fingers appeared or disappeared.
  private mutating func moveAndLandFingers(at time: Int64, isJump: Bool, into output: inout GestureOutput) {
    for index in Bits(tracker.changed) {
      tracker.finish(index)
      guard tracker.isDown(index) else { continue }
      guard let place = place(of: index) else {
        reportOutside(index, into: &output)
        continue
      }
      if tracker.contacts[index].isFinger {
        let isShift = isJump || tracker.contacts[index].hasLateCoordinates(at: time)
        tracker.contacts[index].awaited.formIntersection(tracker.contacts[index].stale)
        if isShift { fingers.shift(index, to: place) }
        if !isShift { move(index, to: place, at: time, into: &output) }
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
    let report = outside(x, y)
    if surface.isTransposed(x, y) { transposition = report }
    output.report(report)
  }

  private mutating func move(
    _ index: Int, to place: Stroke.Vector, at time: Int64, into output: inout GestureOutput
  ) {
    if fingers.move(index, to: place, at: time, into: &output) { findDeadline() }
  }

  /// The position of a contact; nil without a position, or with a position outside of the surface.
  private func place(of index: Int) -> Stroke.Vector? { spot(of: index).map { surface.place($0.x, $0.y) } }

  func position(of index: Int) -> Gesture.Position? {
    spot(of: index).map { surface.position($0.x, $0.y) }
  }

  private func spot(of index: Int) -> (x: Int32, y: Int32)? {
    guard let x = tracker.contacts[index].x, let y = tracker.contacts[index].y, surface.contains(x, y) else {
      return nil
    }
    return (x, y)
  }

  private func outside(_ x: Int32, _ y: Int32) -> InputReport {
    .outside(x: x, y: y, isTransposed: surface.isTransposed(x, y))
  }

  /// The contact that is outside of the surface now, in device coordinates, or the last one that showed transposed
  /// ranges.
  var ghost: InputReport? {
    for contact in tracker.contacts where contact.id >= 0 {
      if let x = contact.x, let y = contact.y, !surface.contains(x, y) { return outside(x, y) }
    }
    return transposition
  }

  private mutating func land(
    _ index: Int, at place: Stroke.Vector, _ time: Int64, into output: inout GestureOutput
  ) {
    guard let position = position(of: index) else { return }
    tracker.contacts[index].isFinger = true
    let (contact, isSlot) = (tracker.contacts[index], surface.reporting != .single)
    tracker.contacts[index].awaited = contact.stale
    tracker.contacts[index].awaitsPlaceUntil =
      isSlot
      ? time.later(by: Self.slotPatience) : contact.isPlaceStale ? .max : time.later(by: Self.landingPatience)
    tracker.contacts[index].rest = Contact.Rest(place: place, since: time, landing: time)
    fingers.land(index, at: place, position, time, into: &output)
    findDeadline()
  }

  /// Lands the contact of a BTN_TOUCH without coordinates, at the coordinates of the previous contact.
  private mutating func landPending(into output: inout GestureOutput) {
    guard let time = pendingLanding else { return }
    pendingLanding = nil
    if let place = place(of: 0) { land(0, at: place, time, into: &output) }
  }

  /// Adopts the present contacts: their landings were not seen, so they make no gesture.
  private mutating func adopt(at time: Int64, into output: inout GestureOutput) {
    pendingLanding = nil
    fingers.forget(at: time, into: &output)
    for index in tracker.contacts.indices {
      let isKnown = !tracker.contacts[index].isReplaced && tracker.contacts[index].isFinger
      tracker.finish(index)
      tracker.contacts[index].isFinger = false
      guard tracker.isDown(index), let place = place(of: index), let position = position(of: index) else {
        tracker.contacts[index].rest = nil
        continue
      }
      tracker.contacts[index].isFinger = true
      if !isKnown { tracker.contacts[index].rest = nil }
      noteMove(of: index, to: place, at: time)
      fingers.adopt(index, at: place, position, time)
    }
    findDeadline()
  }

  private mutating func findDeadline() {
    deadline = fingers.deadline ?? .max
    if let pendingLanding { deadline = min(deadline, pendingLanding.later(by: Self.landingPatience)) }
    for contact in tracker.contacts {
      guard let rest = contact.rest else { continue }
      if let landing = rest.landing { deadline = min(deadline, landing.later(by: Self.stuckAfter)) }
      if !rest.isReported { deadline = min(deadline, rest.since.later(by: Self.stuckAfter)) }
    }
  }

  // MARK: Contacts that never move or never lift

  mutating func noteMove(of index: Int, to place: Stroke.Vector, at time: Int64) {
    guard let rest = tracker.contacts[index].rest else {
      tracker.contacts[index].rest = Contact.Rest(place: place, since: time, landing: time)
      return
    }
    guard (place - rest.place).length > limits.hysteresis else { return }
    tracker.contacts[index].rest = Contact.Rest(place: place, since: time, landing: rest.landing)
  }

  mutating func reportStuckContacts(at time: Int64, into output: inout GestureOutput) {
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
}
