/// The touches in progress in one region: the part of a surface that is covered by the same zones.
///
/// Each finger is judged by itself, so that a finger that rests, a drop of water or the taps of another hand hinder no tap.
/// Where a gesture of several fingers is bound, fingers that land together form a ``FingerGroup`` and are judged together as
/// long as such a gesture can still come about; then what is left of the group is judged singly.
struct TouchRegion: Equatable, Sendable {
  /// The zones that cover it, the smallest first.
  let zones: [Zone]
  /// By the number of fingers, from 1.
  let bindings: [TouchBindings]
  /// The most fingers that a bound gesture has here.
  let mostFingers: Int
  /// Whether landings of several fingers are told from landings of one.
  private let bindsLandingsOfSeveral: Bool
  private let isSemiMT: Bool
  let stagger: Int64
  var groups: [FingerGroup] = []
  /// Groups whose last finger lifted so recently that the panel may only have lost it.
  var ended: [FingerGroup] = []
  var taps = TapRows()

  /// As many fingers as a hand has.
  static let handSize = 5

  init(zones: [Zone], interests: [Interest], on surface: TouchSurface, timing: Timing, common: TouchLimits) {
    self.zones = zones
    let all = (1...Self.handSize).map {
      TouchBindings(fingers: $0, in: zones, interests: interests, on: surface, common: common)
    }
    bindings = all
    mostFingers = (1...Self.handSize).last { !all[$0 - 1].isEmpty } ?? 1
    bindsLandingsOfSeveral = all.dropFirst().contains { $0.isBound(.touch) }
    isSemiMT = surface.isSemiMT
    stagger = timing.stagger
  }

  /// The bindings for a number of fingers; nil for more than ``handSize``.
  func bindings(_ fingers: Int) -> TouchBindings? {
    fingers <= Self.handSize ? bindings[fingers - 1] : nil
  }

  var limits: TouchLimits { bindings[0].landing }

  /// The greatest distance between the taps of a double-tap.
  var doubleTapSlop: Double { bindings[0].limits(for: .doubleTap).doubleTapSlop }

  /// The taps at the place of a group.
  func row(of group: FingerGroup) -> Int? { taps.index(at: group.landings, within: doubleTapSlop) }

  // MARK: Contacts

  /// How far a contact lands from where a finger of this region is expected that the panel may only have lost for a moment;
  /// nil without such a finger.
  func distanceToLostFinger(at place: Stroke.Vector, _ time: Int64) -> Double? {
    (groups + ended).lazy.compactMap { $0.lostFinger(at: place, time, limits: limits)?.distance }.min()
  }

  /// A contact landed.
  mutating func land(
    _ contact: Int, at place: Stroke.Vector, _ position: Gesture.Position, _ time: Int64,
    into output: inout GestureOutput
  ) {
    guard !resume(contact, at: place, position, time) else { return }
    let dropout = limits.touchDropout
    ended.removeAll { time.elapsed(since: $0.lastLift) ?? .max > dropout }
    taps.removeFinished(except: groups + ended, within: doubleTapSlop)
    // It may be the next tap at this place.
    if let row = taps.index(at: [place], within: doubleTapSlop) {
      taps[row].wait(until: time.later(by: bindings[0].longPress))
    }
    let finger = FingerGroup.Finger(contact: contact, position: position, stroke: Stroke(from: place, at: time))
    if let index = groups.lastIndex(where: { canJoin($0, at: time) }) {
      groups[index].add(finger)
      groups[index].review = groups[index].startTime.later(by: bindings[0].longPress)
      begin(index, time, into: &output)
      settle(index, at: time, into: &output)
    } else {
      groups.append(FingerGroup(finger, isInseparable: isSemiMT))
      begin(groups.count - 1, time, into: &output)
    }
  }

  /// The device says that more fingers are down than it shows.
  mutating func report(fingers: Int, at time: Int64, into output: inout GestureOutput) {
    guard var all = groups.first else { return }
    for group in groups.dropFirst() { all.join(group, isOneHand: false) }
    guard fingers > all.count else { return }
    all.report(fingers, at: time)
    groups = [all]
    begin(0, time, into: &output)
  }

  /// A contact moved. Returns whether that showed that it had landed elsewhere.
  mutating func move(
    _ contact: Int, to place: Stroke.Vector, _ position: Gesture.Position, at time: Int64
  ) -> Bool {
    guard let (group, finger) = find(contact) else { return false }
    let limits = limits
    guard groups[group].move(finger, to: place, position, at: time, limits: limits) else { return false }
    holdTaps(at: groups[group])
    return true
  }

  /// Taps at the place of a group wait for what it will be.
  private mutating func holdTaps(at group: FingerGroup) {
    if let row = row(of: group) { taps[row].wait(until: group.startTime.later(by: bindings[0].longPress)) }
  }

  /// Gives away a finger that turned out to have landed in another region.
  mutating func release(_ contact: Int, at time: Int64, into output: inout GestureOutput) -> FingerGroup.Finger? {
    guard let (index, finger) = find(contact), !groups[index].isOver, !groups[index].isInseparable else { return nil }
    let released = groups[index].fingers[finger]
    drop(finger, of: index, at: time, into: &output)
    return released
  }

  /// Takes a finger that another region has released.
  mutating func take(_ finger: FingerGroup.Finger, at time: Int64) {
    groups.append(FingerGroup(finger))
    awaitLongPress(groups.count - 1, after: time)
    holdTaps(at: groups[groups.count - 1])
  }

  /// The device reports a contact under other coordinates, and it did not move.
  mutating func shift(_ contact: Int, to place: Stroke.Vector) {
    update(contact) { stroke, _ in stroke.shift(to: place) }
  }

  /// A contact lifted.
  mutating func lift(_ contact: Int, at time: Int64, into output: inout GestureOutput) {
    guard let (index, finger) = find(contact) else { return }
    groups[index].longPress = nil
    groups[index].lift(finger, at: time, limits: limits)
    if groups[index].count == 1, !groups[index].isInseparable, let other = groups[index].fingers[0].other {
      // What the first of the two did is judged already.
      groups[index] = FingerGroup(other)
    }
    // Beside others it may only have been lost for a moment.
    groups[index].review = nil
    settle(index, at: time, into: &output)
  }

  /// A contact turned out to be no finger, such as a palm: it was none before either, and the others go on without it.
  mutating func remove(
    _ contact: Int, as reason: InputReport.Reason, at time: Int64, into output: inout GestureOutput
  ) {
    guard let (index, finger) = find(contact) else { return }
    output.report(.nothing(reason, groups[index].fingers[finger].position))
    if let row = row(of: groups[index]) { taps[row].flush(into: &output) }
    drop(finger, of: index, at: time, into: &output)
  }

  private mutating func drop(_ finger: Int, of index: Int, at time: Int64, into output: inout GestureOutput) {
    guard groups[index].fingers.count > 1 else {
      groups.remove(at: index)
      return
    }
    groups[index].remove(finger)
    split(groups.remove(at: index), at: time, into: &output)
  }

  /// Events were lost: nothing may be made of the touches in progress.
  mutating func forget(at time: Int64, into output: inout GestureOutput) {
    for group in groups where !group.isOver { output.report(.nothing(.unseen, group.position)) }
    // Taps that waited for what these fingers would do need not wait for it any more.
    if !groups.isEmpty { taps.wait(until: time) }
    groups = []
    ended = []
  }

  /// A contact is down whose landing was not seen.
  mutating func adopt(
    _ contact: Int, at place: Stroke.Vector, _ position: Gesture.Position, _ time: Int64
  ) {
    taps.wait(until: time)
    let finger = FingerGroup.Finger(contact: contact, position: position, stroke: Stroke(from: place, at: time))
    var group = FingerGroup(finger)
    group.isOver = true
    groups.append(group)
  }

  /// Emits the taps that wait whether more follow.
  mutating func flush(into output: inout GestureOutput) { taps.flush(into: &output) }

  private func find(_ contact: Int) -> (group: Int, finger: Int)? {
    for (number, group) in groups.enumerated() {
      if let finger = group.index(of: contact) { return (number, finger) }
    }
    return nil
  }

  private mutating func update(_ contact: Int, _ change: (inout Stroke, TouchLimits) -> Void) {
    guard let (group, finger) = find(contact) else { return }
    let limits = limits
    groups[group].update(finger) { change(&$0, limits) }
  }

  // MARK: Time

  /// When ``advance(to:into:)`` must be called if no frame comes before; nil for never.
  var deadline: Int64? {
    var next = taps.deadline
    for group in groups where !group.isOver {
      for time in [group.longPress, group.review].compactMap(\.self) { next = min(next ?? time, time) }
    }
    return next
  }

  /// Emits the gestures that are due until `time`.
  mutating func advance(to time: Int64, into output: inout GestureOutput) {
    taps.advance(to: time, into: &output)
    for index in groups.indices.reversed() {
      if let due = groups[index].longPress, due <= time { pressLong(index, at: due, into: &output) }
    }
    for index in groups.indices.reversed() {
      guard let due = groups[index].review, due <= time else { continue }
      groups[index].review = nil
      settle(index, at: due, into: &output)
    }
  }

  private mutating func pressLong(_ index: Int, at time: Int64, into output: inout GestureOutput) {
    groups[index].longPress = nil
    let group = groups[index]
    guard let bindings = bindings(group.count), !group.hasLiftedFingers else { return }
    let isStill = group.strokes.allSatisfy {
      var stroke = $0
      stroke.rest(until: time, limits: limits)
      let own = bindings.limits(for: .longPress)
      return stroke.excursion.length <= own.maxExcursion && stroke.net.length <= own.longPressSlop
    }
    guard isStill else { return }
    emit(.longPress, group, at: time, by: bindings, into: &output)
    groups[index].isOver = true
  }

  // MARK: Beginnings

  /// Whether a finger that lands now can belong to a gesture together with a group.
  private func canJoin(_ group: FingerGroup, at time: Int64) -> Bool {
    if group.isInseparable { return true }
    guard mostFingers > 1, !group.isOver, !group.hasLiftedFingers else { return false }
    return time.elapsed(since: group.startTime) ?? .max <= stagger
  }

  private mutating func begin(_ index: Int, _ time: Int64, into output: inout GestureOutput) {
    awaitLongPress(index, after: time)
    let group = groups[index]
    let count = bindsLandingsOfSeveral || group.isInseparable ? group.count : 1
    guard !group.isOver, let bindings = bindings(count), bindings.isBound(.touch) else { return }
    guard !output.refuses(group.startTime, bindings.limits(for: .touch).refractory) else { return }
    output.emit(gesture(.touch, group, group.lastLanding, fingers: count), isBound: true)
  }

  /// - Parameter time: now; a long press that was due earlier, while a finger seemed to have lifted, is due at once.
  mutating func awaitLongPress(_ index: Int, after time: Int64) {
    let group = groups[index]
    groups[index].longPress = nil
    guard !group.isOver, !group.hasLiftedFingers, let bindings = bindings(group.count), bindings.isBound(.longPress)
    else { return }
    groups[index].longPress = max(group.lastLanding.later(by: bindings.longPress), time.later(by: 1))
  }

  /// A finger that the panel lost for a moment is back.
  private mutating func resume(
    _ contact: Int, at place: Stroke.Vector, _ position: Gesture.Position, _ time: Int64
  ) -> Bool {
    let all = groups + ended
    let candidates = all.indices.reversed().compactMap { index in
      all[index].lostFinger(at: place, time, limits: limits).map { (group: index, finger: $0) }
    }
    guard let nearest = candidates.min(by: { $0.finger.distance < $1.finger.distance }) else { return false }
    var index = nearest.group
    if index >= groups.count {
      groups.append(ended.remove(at: index - groups.count))
      index = groups.count - 1
    }
    groups[index].resume(nearest.finger.index, as: contact, at: place, position, time, limits: limits)
    if !groups[index].isOver, let row = row(of: groups[index]) {
      taps[row].wait(until: max(groups[index].startTime.later(by: bindings[0].longPress), time.later(by: 1)))
    }
    awaitLongPress(index, after: time)
    return true
  }
}
