/// Handles a press that counts: as a hold, a long press, or a part of a double-press or chord.
extension KeyRecognizer {
  /// Handles a press that is not part of a chord.
  mutating func begin(_ index: Int, into output: inout GestureOutput) {
    let press = presses[index]
    let single = press.gesture(.press)
    let long = press.time.later(by: press.bindings.longPress)
    if press.bindings.isBound(.hold) {
      presses[index].isHeld = true
      output.emit(press.gesture(.hold, isOn: true), isBound: true)
    }
    if press.bindings.isBound(.longPress) {
      presses[index].phase = .open(isEmitted: press.bindings.isEager, long: long)
      if press.bindings.isEager { output.emit(single, isBound: press.bindings.isBound(.press)) }
      if let rule = press.bindings.repetition { repetition(rule) { $0.wait(until: long) } }
    } else {
      presses[index].phase = .made
      if let rule = press.bindings.repetition {
        repetition(rule) {
          $0.add(single, as: rule, into: &output)
          // A press that becomes a long press cannot be the first of a double-press.
          $0.wait(until: long)
        }
      } else {
        output.emit(single, isBound: press.bindings.isBound(.press))
      }
    }
  }

  /// Turns a press into a long press.
  mutating func lengthen(_ index: Int, _ time: Int64, into output: inout GestureOutput) {
    guard case .open(let isEmitted, _) = presses[index].phase else { return }
    presses[index].phase = .long
    let press = presses[index]
    if let rule = press.bindings.repetition { repetition(rule) { $0.flush(into: &output) } }
    output.emit(
      press.gesture(.longPress, at: time, takesBack: isEmitted ? [press.gesture(.press)] : []), isBound: true)
  }

  /// Emits the largest chord of the joining keys as soon as no larger chord is possible.
  ///
  /// - Parameter last: the press that can no longer join a chord; nil without such a press.
  @discardableResult
  mutating func makeChord(of last: Int?, into output: inout GestureOutput) -> Bool {
    let joining = presses.indices.filter { if case .joining = presses[$0].phase { true } else { false } }
    var best: (interest: Interest, members: [Int])?
    for interest in interests where interest.chord > best?.interest.chord ?? 0 {
      let members = joining.filter { interest.matches(presses[$0].key) }
      guard members.count == interest.chord, last.map(members.contains) ?? true, let first = members.first,
        let end = members.last, presses[end].time.elapsed(since: presses[first].time) ?? .max <= interest.timing.chord
      else { continue }
      best = (interest, members)
    }
    guard let (interest, members) = best else { return false }
    let isPartOfMore = interests.contains { more in
      more.chord > interest.chord && members.allSatisfy { more.matches(presses[$0].key) }
    }
    guard last != nil || !isPartOfMore, let end = members.last else { return false }
    let chord = Gesture(kind: .chord, time: presses[end].time, chord: members.map { presses[$0].key })
    for member in members { presses[member].phase = .used }
    output.emit(chord, isBound: true)
    return true
  }
}
