/// The end of touches: when a group is complete, the meaning of each finger or group, and the gesture that is emitted.
extension FingerGroups {
  /// The bindings of the group's zone for its number of fingers; `nil` for more fingers than a hand has.
  func bindings(of group: FingerGroup) -> TouchBindings? { regions[group.region].bindings(group.count) }

  /// The bindings of the group's zone for one finger.
  private func single(_ group: FingerGroup) -> TouchBindings { regions[group.region].single }

  /// The gestures that a single tap can be, or begin.
  private static let taps = [.tap] + Gesture.Kind.tap.repeats

  /// Whether the fingers of a group landed in zones that bind a gesture for one finger differently. Such zones separate
  /// hands.
  func separates(_ kind: Gesture.Kind, _ group: FingerGroup) -> Bool {
    guard let first = group.fingers.first else { return false }
    let kinds = kind == .tap ? Self.taps : [kind]
    return group.fingers.contains { finger in
      finger.region != first.region && !regions[finger.region].single.isSame(kinds, as: regions[first.region].single)
    }
  }

  /// Whether a verdict on a group is a bound gesture.
  private func isGesture(_ verdict: TouchVerdict, _ group: FingerGroup, _ bindings: TouchBindings) -> Bool {
    bindings.bind(verdict) && !(verdict.kind.map { separates($0, group) } ?? false)
  }

  /// Judges a group after a lift or at its time limit, unless it must still wait.
  mutating func conclude(_ index: Int, at time: Int64, into output: inout GestureOutput) {
    let group = groups[index]
    if group.hasFingersDown {
      guard !group.isOver, group.fingers.count > 1, !group.isInseparable, group.emitted.isEmpty else { return }
      if canBecomeGesture(group, at: time) {
        let checks = [regions[group.region].limits.touchDropout, stagger].compactMap { group.firstLift?.later(by: $0) }
        groups[index].review = checks.first { $0 > time } ?? group.review
      } else if let reason = flawOfHold(group) {
        output.report(.nothing(reason, group.position))
        flushRows(of: group, into: &output)
        groups[index].isOver = true
      } else {
        split(groups.remove(at: index), at: time, into: &output)
      }
      return
    }
    groups.remove(at: index)
    guard !group.isOver else {
      ended.append(group)
      return
    }
    guard group.fingers.count > 1, !group.isInseparable, !group.isOneHand else {
      return conclude(group, canJoinOthers: !group.isInseparable, into: &output)
    }
    guard let bindings = bindings(of: group) else { return split(group, at: time, into: &output) }
    let verdict = verdict(on: group, by: bindings)
    // A group whose gesture was emitted when the panel lost it stays together, so that the gesture can be taken back.
    guard
      isGesture(verdict, group, bindings) || isHand(group) || flawOfHold(group) != nil
        || !group.emitted.isEmpty
    else {
      return split(group, at: time, into: &output)
    }
    conclude(verdict, group, by: bindings, into: &output)
  }

  /// Whether all fingers move and at least one moves far enough for a swipe: then they belong to one hand.
  private func isHand(_ group: FingerGroup) -> Bool {
    guard !separates(group.direction, group) else { return false }
    let lengths = group.strokes.map(\.net.length)
    let limits = single(group).limits(for: group.direction)
    let longest = lengths.max() ?? 0
    return longest >= limits.swipe && lengths.allSatisfy { $0 >= longest * limits.minFingerRatio }
      && isWithinReach(group.strokes, in: group.region)
  }

  /// The reason why fingers that were held together made no bound long press: they slipped. Such fingers are not slow
  /// taps. Nil if they were not held together.
  private func flawOfHold(_ group: FingerGroup) -> InputReport.Reason? {
    guard group.fingers.count > 1, !group.isInseparable, let bindings = bindings(of: group),
      bindings.isBound(.longPress), !separates(.longPress, group), let firstLift = group.firstLift,
      let duration = firstLift.elapsed(since: group.startTime), duration >= bindings.longPress,
      firstLift.elapsed(since: group.lastLanding) ?? 0 >= duration / 2,
      group.strokes.allSatisfy({ $0.isStill(by: bindings) })
    else { return nil }
    let limits = bindings.limits(for: .longPress)
    let reach = group.strokes.map(\.net.length).max() ?? 0
    return .heldAndMoved(duration, limits.length(reach), slop: limits.length(limits.longPressSlop))
  }

  /// Whether one hand can have landed all of these fingers.
  func isWithinReach(_ strokes: [Stroke], in region: Int) -> Bool {
    guard let first = strokes.first else { return true }
    let span = regions[region].single.limits(for: .swipeDown).handSpan
    return strokes.allSatisfy { ($0.start - first.start).length <= span }
  }

  private func verdict(on group: FingerGroup, by bindings: TouchBindings) -> TouchVerdict {
    TouchVerdict(group.strokes, lastLanding: group.lastLanding, lifted: group.lastLift, by: bindings)
  }

  /// Judges a single finger, or fingers that cannot be separated.
  private mutating func conclude(_ group: FingerGroup, canJoinOthers: Bool, into output: inout GestureOutput) {
    guard let bindings = bindings(of: group) else {
      return output.report(.nothing(.manyFingers(group.count), group.position))
    }
    let verdict = verdict(on: group, by: bindings)
    let isSwipe = if case .swipe = verdict { true } else { group.isOneHand }
    let others = canJoinOthers && isSwipe ? companions(of: group) : []
    guard !others.isEmpty else { return conclude(verdict, group, by: bindings, into: &output) }
    var hand = group
    for index in others.reversed() {
      let other = groups.remove(at: index)
      hand.join(other, isOneHand: true)
      hand.region = sharedRegion(hand.region, other.region)
    }
    hand.longPress = nil
    hand.review = hand.firstLift?.later(by: stagger)
    groups.append(hand)
  }

  /// The groups that landed together with a finished swipe and also move: other fingers of the hand, in a swipe or a
  /// pinch.
  private func companions(of group: FingerGroup) -> [Int] {
    let strokes = group.strokes
    let longest = strokes.map(\.net.length).max() ?? 0
    let least = longest * single(group).limits(for: group.direction).minFingerRatio
    return groups.indices.filter { index in
      let other = groups[index]
      guard !other.isInseparable, other.hasFingersDown else { return false }
      let isSame = single(group).isSame([group.direction], as: single(other))
      guard other.region == group.region || isSame else { return false }
      let stagger = max(other.startTime, group.startTime).elapsed(since: min(other.startTime, group.startTime))
      return stagger ?? .max <= self.stagger && other.strokes.allSatisfy { $0.net.length >= least }
        && isWithinReach(strokes + other.strokes, in: group.region)
    }
  }

  /// Judges every finger of a group separately.
  mutating func split(_ group: FingerGroup, at time: Int64, into output: inout GestureOutput) {
    for finger in group.fingers.filter(\.isDown) {
      groups.append(FingerGroup(finger))
      awaitLongPress(groups.count - 1, after: time)
    }
    for finger in group.fingers.filter({ !$0.isDown }).sorted(by: { $0.stroke.end < $1.stroke.end }) {
      conclude(FingerGroup(finger), canJoinOthers: !group.isOneHand, into: &output)
    }
  }

  /// Whether a bound gesture of several fingers is still possible for a group.
  private func canBecomeGesture(_ group: FingerGroup, at time: Int64) -> Bool {
    let age = time.elapsed(since: group.startTime) ?? .max
    let direction = group.direction
    if let firstLift = group.firstLift {
      let pause = time.elapsed(since: firstLift) ?? .max
      guard pause < stagger else { return false }
      // The panel may have lost the finger only for a moment.
      guard pause >= regions[group.region].limits.touchDropout, !group.isOneHand else { return true }
      guard let bindings = bindings(of: group) else { return false }
      let lifted = group.fingers.filter { !$0.isDown }.map(\.stroke)
      let verdict = TouchVerdict(lifted, lastLanding: group.lastLanding, lifted: time, by: bindings)
      let limits = bindings.limits(for: direction)
      return isGesture(verdict, group, bindings) || flawOfHold(group) != nil
        || bindings.isBound(direction) && !separates(direction, group)
          && lifted.allSatisfy { $0.net.component(direction) >= limits.swipe * limits.minFingerRatio }
    }
    let mostFingers = regions[group.region].mostFingers
    guard group.fingers.count <= mostFingers else { return false }
    if group.fingers.count < mostFingers, age < stagger { return true }
    guard let bindings = bindings(of: group) else { return false }
    let alone = single(group)
    let hasMoved = group.strokes.contains { $0.net.length > bindings.limits(for: direction).longPressSlop }
    // Fingers that are held and slip are not single taps.
    let mayHold = !hasMoved || !alone.isBound(.longPress) && group.strokes.allSatisfy { $0.isStill(by: bindings) }
    let longestTap = alone.isBound(.longPress) ? alone.longPress : bindings.longestTap
    return bindings.isBound(.longPress) && mayHold && !separates(.longPress, group)
      || bindings.bindsTaps && age < longestTap && !separates(.tap, group)
      || bindings.bindsSwipes && age < bindings.longPress
      || bindings.isBound(direction) && hasMoved && !separates(direction, group)
  }

  /// Emits or reports a verdict on a group.
  private mutating func conclude(
    _ verdict: TouchVerdict, _ group: FingerGroup, by bindings: TouchBindings, into output: inout GestureOutput
  ) {
    var group = group
    switch verdict {
    case .tap: group.emitted = emit(.tap, group, at: group.lastLift, by: bindings, into: &output)
    case .longPress: group.emitted = emit(.longPress, group, at: group.lastLift, by: bindings, into: &output)
    case .swipe(let kind): group.emitted = emit(kind, group, at: group.lastLift, by: bindings, into: &output)
    case .nothing(let reason):
      if group.emitted.isEmpty {
        output.report(.nothing(reason, group.position))
        flushRows(of: group, into: &output)
      } else if let row = regions[group.region].row(of: group) {
        regions[group.region].taps[row].pause(from: group.lastLift)
      }
    }
    ended.append(group)
  }
}
