/// Handles contacts that land: a new finger, a finger that joins a group, or a finger that the panel had lost.
extension FingerGroups {
  mutating func land(
    _ contact: Int, at place: Stroke.Vector, _ position: Gesture.Position, _ time: Int64,
    into output: inout GestureOutput
  ) {
    guard !resume(contact, at: place, position, time) else { return }
    ended.removeAll { time.elapsed(since: $0.lastLift) ?? .max > regions[$0.region].limits.touchDropout }
    let region = region(at: position)
    let slop = regions[region].doubleTapSlop
    regions[region].taps.removeFinished(except: groups + ended, within: slop)
    // The row at this place waits, because the landing may begin its next tap.
    if let row = regions[region].taps.index(at: [place], within: slop) {
      regions[region].taps[row].wait(until: time.later(by: regions[region].single.longPress))
    }
    let finger = FingerGroup.Finger(
      contact: contact, region: region, position: position, stroke: Stroke(from: place, at: time))
    if let (index, shared) = groupToJoin(finger, at: time) {
      groups[index].add(finger, in: shared)
      groups[index].review = groups[index].startTime.later(by: regions[shared].single.longPress)
      begin(index, time, into: &output)
      conclude(index, at: time, into: &output)
    } else {
      groups.append(FingerGroup(finger, isInseparable: surface.isSemiMT))
      begin(groups.count - 1, time, into: &output)
    }
  }

  /// The latest group that a landing finger can join, and the common region.
  private mutating func groupToJoin(_ finger: FingerGroup.Finger, at time: Int64) -> (index: Int, region: Int)? {
    for index in groups.indices.reversed() {
      let group = groups[index]
      let shared = sharedRegion(group.region, finger.region)
      let isWithin = shared == finger.region && shared == group.region
      let hasGestures = regions[shared].mostFingers > 1
      guard isWithin || hasGestures && isWithinReach(group.strokes + [finger.stroke], in: shared) else { continue }
      if group.isInseparable { return (index, shared) }
      guard hasGestures, !group.isOver, !group.hasLiftedFingers,
        time.elapsed(since: group.startTime) ?? .max <= stagger
      else { continue }
      return (index, shared)
    }
    return nil
  }

  mutating func begin(_ index: Int, _ time: Int64, into output: inout GestureOutput) {
    awaitLongPress(index, after: time)
    var group = groups[index]
    let isCounted = regions[group.region].bindsLandingsOfSeveral || group.isInseparable
    let count = isCounted ? group.count : 1
    // Without bindings for landings of several fingers, only the last finger lands, in its own region.
    if !isCounted, let last = group.fingers.last, last.region != group.region { group = FingerGroup(last) }
    guard !groups[index].isOver, let bindings = regions[group.region].bindings(count), bindings.isBound(.touch) else {
      return
    }
    guard !output.refuses(group.startTime, bindings.limits(for: .touch).refractory) else { return }
    output.emit(gesture(.touch, group, group.lastLanding, fingers: count), isBound: true)
  }

  /// Resumes a finger that the panel lost for a moment, perhaps while it passed through another region.
  private mutating func resume(
    _ contact: Int, at place: Stroke.Vector, _ position: Gesture.Position, _ time: Int64
  ) -> Bool {
    let all = groups + ended
    let candidates = all.indices.reversed().compactMap { index in
      all[index].lostFinger(at: place, time, limits: regions[all[index].region].limits).map {
        (group: index, finger: $0)
      }
    }
    guard let nearest = candidates.min(by: { $0.finger.distance < $1.finger.distance }) else { return false }
    var index = nearest.group
    if index >= groups.count {
      groups.append(ended.remove(at: index - groups.count))
      index = groups.count - 1
    }
    let limits = regions[groups[index].region].limits
    groups[index].resume(nearest.finger.index, as: contact, at: place, position, time, limits: limits)
    if !groups[index].isOver {
      for region in regions(of: groups[index]) {
        guard let row = regions[region].row(of: groups[index]) else { continue }
        let long = groups[index].startTime.later(by: regions[region].single.longPress)
        regions[region].taps[row].wait(until: max(long, time.later(by: 1)))
      }
    }
    awaitLongPress(index, after: time)
    return true
  }
}
