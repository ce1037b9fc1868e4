/// The end of touches: when a group is complete, the meaning of each finger or group, and the gesture that is emitted.
extension TouchRegion {
  /// Judges a group whose finger lifted or whose time is over, if there is no more to wait for.
  mutating func settle(_ index: Int, at time: Int64, into output: inout GestureOutput) {
    let group = groups[index]
    if group.hasFingersDown {
      guard !group.isOver, group.fingers.count > 1, !group.isInseparable, group.emitted.isEmpty else { return }
      if canBecomeGesture(group, at: time) {
        let checks = [limits.touchDropout, stagger].compactMap { group.firstLift?.later(by: $0) }
        groups[index].review = checks.first { $0 > time } ?? group.review
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
    guard let bindings = bindings(group.count) else { return split(group, at: time, into: &output) }
    let verdict = verdict(on: group, by: bindings)
    // A group whose gesture was emitted before the panel lost it stays together, so that the gesture can be taken back.
    guard bindings.bind(verdict) || isHand(group) || !group.emitted.isEmpty else {
      return split(group, at: time, into: &output)
    }
    conclude(verdict, group, by: bindings, into: &output)
  }

  /// Whether all fingers move and one of them far enough for a swipe: that is a hand's doing, and not one of each finger.
  private func isHand(_ group: FingerGroup) -> Bool {
    let lengths = group.strokes.map(\.net.length)
    let limits = bindings[0].limits(for: group.direction)
    let longest = lengths.max() ?? 0
    return longest >= limits.swipe && lengths.allSatisfy { $0 >= longest * limits.minFingerRatio }
      && isWithinReach(group.strokes)
  }

  /// Whether one hand can have landed all of these fingers; those of two people are far apart.
  private func isWithinReach(_ strokes: [Stroke]) -> Bool {
    guard let first = strokes.first else { return true }
    return strokes.allSatisfy { ($0.start - first.start).length <= bindings[0].limits(for: .swipeDown).handSpan }
  }

  private func verdict(on group: FingerGroup, by bindings: TouchBindings) -> TouchVerdict {
    TouchVerdict(group.strokes, lastLanding: group.lastLanding, lifted: group.lastLift, by: bindings)
  }

  /// Judges a finger by itself, or fingers that cannot be told apart.
  private mutating func conclude(_ group: FingerGroup, canJoinOthers: Bool, into output: inout GestureOutput) {
    guard let bindings = bindings(group.count) else {
      return output.report(.nothing(.manyFingers(group.count), group.position))
    }
    let verdict = verdict(on: group, by: bindings)
    let isSwipe = if case .swipe = verdict { true } else { group.isOneHand }
    let others = canJoinOthers && isSwipe ? companions(of: group) : []
    guard !others.isEmpty else { return conclude(verdict, group, by: bindings, into: &output) }
    var hand = group
    for index in others.reversed() { hand.join(groups.remove(at: index), isOneHand: true) }
    hand.longPress = nil
    hand.review = hand.firstLift?.later(by: stagger)
    groups.append(hand)
  }

  /// Groups that landed together with a swipe that is over, and move as well: fingers of one hand, whose swipe is one and
  /// not one for each finger, or a pinch.
  private func companions(of group: FingerGroup) -> [Int] {
    let strokes = group.strokes
    let longest = strokes.map(\.net.length).max() ?? 0
    let least = longest * bindings[0].limits(for: group.direction).minFingerRatio
    return groups.indices.filter { index in
      let other = groups[index]
      guard !other.isInseparable, other.hasFingersDown else { return false }
      let stagger = max(other.startTime, group.startTime).elapsed(since: min(other.startTime, group.startTime))
      return stagger ?? .max <= self.stagger && other.strokes.allSatisfy { $0.net.length >= least }
        && isWithinReach(strokes + other.strokes)
    }
  }

  /// Judges every finger of a group by itself.
  mutating func split(_ group: FingerGroup, at time: Int64, into output: inout GestureOutput) {
    for finger in group.fingers.filter(\.isDown) {
      groups.append(FingerGroup(finger))
      awaitLongPress(groups.count - 1, after: time)
    }
    for finger in group.fingers.filter({ !$0.isDown }).sorted(by: { $0.stroke.end < $1.stroke.end }) {
      conclude(FingerGroup(finger), canJoinOthers: !group.isOneHand, into: &output)
    }
  }

  /// Whether a gesture of several fingers that is bound can still come of a group.
  private func canBecomeGesture(_ group: FingerGroup, at time: Int64) -> Bool {
    let age = time.elapsed(since: group.startTime) ?? .max
    let direction = group.direction
    if let firstLift = group.firstLift {
      let pause = time.elapsed(since: firstLift) ?? .max
      guard pause < stagger else { return false }
      // The panel may only have lost the finger.
      guard pause >= limits.touchDropout, !group.isOneHand else { return true }
      guard let bindings = bindings(group.count) else { return false }
      let lifted = group.fingers.filter { !$0.isDown }.map(\.stroke)
      let verdict = TouchVerdict(lifted, lastLanding: group.lastLanding, lifted: time, by: bindings)
      let limits = bindings.limits(for: direction)
      return bindings.bind(verdict)
        || bindings.isBound(direction)
          && lifted.allSatisfy { $0.net.component(direction) >= limits.swipe * limits.minFingerRatio }
    }
    guard group.fingers.count <= mostFingers else { return false }
    if group.fingers.count < mostFingers, age < stagger { return true }
    guard let bindings = bindings(group.count) else { return false }
    let hasMoved = group.strokes.contains { $0.net.length > bindings.limits(for: direction).longPressSlop }
    let longestTap = self.bindings[0].isBound(.longPress) ? self.bindings[0].longPress : bindings.longestTap
    return bindings.isBound(.longPress) && !hasMoved || bindings.bindsTaps && age < longestTap
      || bindings.bindsSwipes && age < bindings.longPress
      || bindings.isBound(direction) && hasMoved
  }

  /// The meaning of a group is known.
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
        if let row = row(of: group) { taps[row].flush(into: &output) }
      } else if let row = row(of: group) {
        taps[row].pause(from: group.lastLift)
      }
    }
    ended.append(group)
  }

  /// Returns the gestures that stand for the group from now on.
  @discardableResult
  mutating func emit(
    _ kind: Gesture.Kind, _ group: FingerGroup, at time: Int64, by bindings: TouchBindings,
    into output: inout GestureOutput
  ) -> [FingerGroup.Emission] {
    // A slow tap is a tap, and no part of a double-tap.
    let isQuick = kind == .tap && time.elapsed(since: group.startTime) ?? 0 < bindings.longPress
    let rule = isQuick ? bindings.repetition : nil
    let row = row(of: group)
    if let earlier = group.emitted.first, group.emitted.count == 1 {
      let isOutgrown = earlier.isRepetition && rule == nil && row.map { taps[$0].isMerged } ?? false
      if kind == earlier.gesture.kind, group.count == earlier.gesture.fingers, !isOutgrown {
        if let row { taps[row].pause(from: time) }
        return group.emitted
      }
    }
    let takesBack = withdraw(group.emitted, into: &output)
    let isNext = rule != nil && row.map { taps[$0].isInProgress && taps[$0].rule == rule } ?? false
    if !isNext {
      if let row { taps[row].flush(into: &output) }
      // Taps that wait at other places come before a gesture that does something else.
      taps.flush(into: &output) { kind != .tap || $0.rule != bindings.repetition }
      if takesBack.isEmpty, output.refuses(group.startTime, bindings.limits(for: kind).refractory) {
        output.report(.nothing(.tooSoon, group.position))
        return []
      }
    }
    let gesture = gesture(kind, group, time, takesBack: takesBack)
    if let rule, let row, isNext {
      taps[row].add(gesture, as: rule, into: &output)
      taps[row].pause(from: time)
    } else if let rule {
      taps.begin(row, at: group.landings, with: gesture, as: rule, into: &output)
    } else {
      output.emit(gesture, isBound: bindings.isBound(kind))
    }
    return [FingerGroup.Emission(gesture: gesture, isRepetition: rule != nil, landings: group.landings)]
  }

  /// Returns the gestures that must be taken back where fingers turned out to do something else.
  private mutating func withdraw(
    _ emissions: [FingerGroup.Emission], into output: inout GestureOutput
  ) -> [Gesture] {
    var gestures: [Gesture] = []
    for emission in emissions.reversed() {
      if emission.isRepetition, let row = taps.index(at: emission.landings, within: doubleTapSlop) {
        gestures += taps[row].withdraw(into: &output)
      } else {
        gestures.append(emission.gesture)
      }
    }
    return gestures
  }

  func gesture(
    _ kind: Gesture.Kind, _ group: FingerGroup, _ time: Int64, fingers: Int? = nil, takesBack: [Gesture] = []
  ) -> Gesture {
    Gesture(
      kind: kind, time: time, fingers: fingers ?? group.count, position: group.position, zone: zones.first?.name,
      takesBack: takesBack)
  }
}
