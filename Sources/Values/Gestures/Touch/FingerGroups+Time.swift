/// Handles the passing of time: long presses, and groups for which no further gesture is possible.
extension FingerGroups {
  /// The time at which ``advance(to:into:)`` must be called if no frame comes before; nil for never.
  var deadline: Int64? {
    var next = regions.lazy.compactMap(\.taps.deadline).min()
    for group in groups where !group.isOver {
      for time in [group.longPress, group.review].compactMap(\.self) { next = min(next ?? time, time) }
    }
    return next
  }

  /// Emits the gestures that are due until `time`.
  mutating func advance(to time: Int64, into output: inout GestureOutput) {
    for region in regions.indices { regions[region].taps.advance(to: time, into: &output) }
    for index in groups.indices.reversed() {
      if let due = groups[index].longPress, due <= time { pressLong(index, at: due, into: &output) }
    }
    for index in groups.indices.reversed() {
      guard let due = groups[index].review, due <= time else { continue }
      groups[index].review = nil
      conclude(index, at: due, into: &output)
    }
  }

  private mutating func pressLong(_ index: Int, at time: Int64, into output: inout GestureOutput) {
    groups[index].longPress = nil
    let group = groups[index]
    guard let bindings = bindings(of: group), !group.hasLiftedFingers else { return }
    let isStill = group.strokes.allSatisfy {
      var stroke = $0
      stroke.rest(until: time, limits: regions[group.region].limits)
      let own = bindings.limits(for: .longPress)
      return stroke.excursion.length <= own.maxExcursion && stroke.net.length <= own.longPressSlop
    }
    guard isStill else { return }
    emit(.longPress, group, at: time, by: bindings, into: &output)
    groups[index].isOver = true
  }

  /// Sets the time of the long press.
  ///
  /// - Parameter time: the present time; a long press that was due during a lost contact is due at once.
  mutating func awaitLongPress(_ index: Int, after time: Int64) {
    let group = groups[index]
    groups[index].longPress = nil
    guard !group.isOver, !group.hasLiftedFingers, let bindings = bindings(of: group), bindings.isBound(.longPress),
      !separates(.longPress, group)
    else { return }
    groups[index].longPress = max(group.lastLanding.later(by: bindings.longPress), time.later(by: 1))
  }
}
