/// Emits the gestures of groups, and withdraws those that they take back.
extension FingerGroups {
  /// Emits the waiting taps at the places of a group.
  mutating func flushRows(of group: FingerGroup, into output: inout GestureOutput) {
    for region in regions(of: group) {
      if let row = regions[region].row(of: group) { regions[region].taps[row].flush(into: &output) }
    }
  }

  /// Emits a gesture; returns the emitted gestures that may later be taken back for this group.
  @discardableResult
  mutating func emit(
    _ kind: Gesture.Kind, _ group: FingerGroup, at time: Int64, by bindings: TouchBindings,
    into output: inout GestureOutput
  ) -> [FingerGroup.Emission] {
    // A slow tap is a tap, but not part of a double-tap.
    let isQuick = kind == .tap && time.elapsed(since: group.startTime) ?? 0 < bindings.longPress
    let rule = isQuick ? bindings.repetition : nil
    let region = group.region
    let row = regions[region].row(of: group)
    if let earlier = group.emitted.first, group.emitted.count == 1 {
      let isOutgrown = earlier.isRepetition && rule == nil && row.map { regions[region].taps[$0].isMerged } ?? false
      if kind == earlier.gesture.kind, group.count == earlier.gesture.fingers, !isOutgrown {
        if let row { regions[region].taps[row].pause(from: time) }
        return group.emitted
      }
    }
    let takesBack = withdraw(group.emitted, into: &output)
    let isNext =
      rule != nil && row.map { regions[region].taps[$0].isInProgress && regions[region].taps[$0].rule == rule } ?? false
    if !isNext {
      flushRows(of: group, into: &output)
      // Taps that wait at other places are emitted before a gesture of another kind.
      for region in regions(of: group) {
        regions[region].taps.flush(into: &output) { kind != .tap || $0.rule != bindings.repetition }
      }
      if takesBack.isEmpty, output.refuses(group.startTime, bindings.limits(for: kind).refractory) {
        output.report(.nothing(.tooSoon, group.position))
        return []
      }
    }
    let gesture = gesture(kind, group, time, takesBack: takesBack)
    if let rule, let row, isNext {
      regions[region].taps[row].add(gesture, as: rule, into: &output)
      regions[region].taps[row].pause(from: time)
    } else if let rule {
      regions[region].taps.begin(row, at: group.landings, with: gesture, as: rule, into: &output)
    } else {
      output.emit(gesture, isBound: bindings.isBound(kind))
    }
    return [FingerGroup.Emission(gesture: gesture, isRepetition: rule != nil, region: region)]
  }

  /// Returns the gestures that must be taken back because their fingers turned out to make another gesture.
  private mutating func withdraw(
    _ emissions: [FingerGroup.Emission], into output: inout GestureOutput
  ) -> [Gesture] {
    var gestures: [Gesture] = []
    var left = emissions
    while !left.isEmpty {
      // The last tap of a row is withdrawn first.
      let index = left.lastIndex { regions[$0.region].taps.isLast($0.gesture) } ?? left.count - 1
      let emission = left.remove(at: index)
      let ofRow =
        emission.isRepetition ? regions[emission.region].taps.withdraw(emission.gesture, into: &output) : nil
      gestures += ofRow ?? [emission.gesture]
    }
    return gestures
  }

  func gesture(
    _ kind: Gesture.Kind, _ group: FingerGroup, _ time: Int64, fingers: Int? = nil, takesBack: [Gesture] = []
  ) -> Gesture {
    let count = fingers ?? group.count
    let isSpread = count > 1 && group.fingers.contains { $0.region != group.region }
    return Gesture(
      kind: kind, time: time, fingers: count, position: group.position,
      others: isSpread ? group.fingers.dropFirst().map(\.position) : [], zone: regions[group.region].zones.first?.name,
      takesBack: takesBack)
  }
}
