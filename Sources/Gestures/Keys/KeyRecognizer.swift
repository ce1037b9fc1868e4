/// Recognises what is done with keys, buttons, pedals and switches: presses, which count on the way down, and whatever
/// else is wished for of them.
struct KeyRecognizer: Sendable {
  private let wishes: [Wish]
  private let common: Timing
  private let longestBounce: Int64
  private var directions: DirectionKeys
  private var edges = KeyEdges()
  /// The keys that are down and were seen to go down.
  private var presses: [KeyPress] = []
  /// Presses that may be followed by more of them, one for each spot.
  private var repetitions: [Repetition] = []
  /// When something is due if nothing happens before; the end of time where nothing is.
  private(set) var deadline = Int64.max

  init(_ device: DeviceDescription, wishes: [Wish], timing: Timing) {
    self.wishes = wishes.filter { if case .keys = $0.target { true } else { false } }
    common = timing
    longestBounce = self.wishes.reduce(timing.bounce) { max($0, $1.timing.bounce) }
    directions = DirectionKeys(device)
  }

  /// Until when a key may bounce; the beginning of time where none can.
  var settled: Int64 { edges.latest?.later(by: longestBounce) ?? .min }

  /// Goes on from how the keys stood for another recogniser, in which nothing was in progress.
  mutating func follow(_ former: KeyRecognizer) { edges = former.edges }

  /// Takes one frame in; a key may be pressed and let go any number of times within it.
  mutating func handle(_ frame: Frame, into output: inout GestureOutput) {
    var scan: UInt32?
    for event in frame.events {
      switch event.type {
      case EventCode.miscellaneous where event.code == EventCode.scan: scan = UInt32(bitPattern: event.value)
      case EventCode.key where !EventCode.isTouchState(event.code):
        // 2 is the kernel's autorepeat.
        if 0...1 ~= event.value { take(.init(code: event.code, scan: scan), event.value == 1, frame, into: &output) }
        scan = nil
      case EventCode.toggle where event.code < 0x100 && 0...1 ~= event.value:
        take(.init(code: KeyCode.firstSwitch + event.code), event.value == 1, frame, into: &output)
      case EventCode.absolute where !directions.isEmpty:
        for (code, isDown) in directions.take(event) { take(.init(code: code), isDown, frame, into: &output) }
      default: break
      }
    }
  }

  /// Fires what is due until `time`.
  mutating func advance(to time: Int64, into output: inout GestureOutput) {
    guard deadline <= time else { return }
    for change in edges.advance(to: time) { apply(change, into: &output) }
    for index in presses.indices {
      guard let due = presses[index].deadline, due <= time else { continue }
      if case .joining = presses[index].phase {
        if !makeChord(of: index, into: &output) { begin(index, into: &output) }
      } else {
        lengthen(index, due, into: &output)
      }
    }
    for index in repetitions.indices where repetitions[index].deadline ?? .max <= time {
      repetitions[index].flush(into: &output)
    }
    tidy()
  }

  /// Leaves nothing pressed. What was pressed and only waited whether more follow was pressed.
  mutating func cancel(at time: Int64, into output: inout GestureOutput) {
    edges.clear()
    while let press = presses.first { abandon(press.key.code, time, into: &output) }
    for index in repetitions.indices { repetitions[index].flush(into: &output) }
    tidy()
  }

  // MARK: Edges

  private mutating func take(
    _ key: Gesture.PressedKey, _ isDown: Bool, _ frame: Frame, into output: inout GestureOutput
  ) {
    if frame.isResync {
      edges.set(key.code, isDown: isDown)
      abandon(key.code, frame.time, into: &output)
    } else {
      let bounce = wishes.first { $0.matches(key) }?.timing.bounce ?? common.bounce
      if let change = edges.take(key, isDown: isDown, at: frame.time, bounce: bounce) { apply(change, into: &output) }
    }
    tidy()
  }

  private mutating func apply(_ change: KeyEdges.Change, into output: inout GestureOutput) {
    if change.isDown { press(change.key, change.time, into: &output) } else { release(change, into: &output) }
  }

  private mutating func press(_ key: Gesture.PressedKey, _ time: Int64, into output: inout GestureOutput) {
    let spot = KeySpot(key, wishes: wishes, common: common)
    var press = KeyPress(key: key, time: time, spot: spot)
    let isFurther = repetitions.contains { $0.isInProgress && $0.rule == spot.repetition }
    if !isFurther, output.refuses(time, spot.refractory(.press)) {
      press.phase = .used
      presses.append(press)
    } else if spot.chord > 0 {
      press.phase = .joining(until: time.later(by: spot.chord))
      presses.append(press)
      makeChord(of: nil, into: &output)
    } else {
      presses.append(press)
      begin(presses.count - 1, into: &output)
    }
  }

  private mutating func release(_ change: KeyEdges.Change, into output: inout GestureOutput) {
    guard let index = presses.firstIndex(where: { $0.key.code == change.key.code }) else { return }
    if case .joining = presses[index].phase { begin(index, into: &output) }
    let press = presses.remove(at: index)
    let single = press.gesture(.press)
    if case .open(let isGiven, _) = press.phase {
      if let rule = press.spot.repetition {
        repetition(rule) { $0.add(single, as: rule, isGiven: isGiven, into: &output) }
      } else if !isGiven {
        output.give(single, isWished: press.spot.isWished(.press))
      }
    }
    if let rule = press.spot.repetition, press.phase != .used, press.phase != .long {
      repetition(rule) { $0.pause(from: change.time) }
    }
    if press.isHeld { output.give(press.gesture(.hold, at: change.time, isOn: false), isWished: true) }
    if press.phase != .used, press.spot.isWished(.release) {
      output.give(press.gesture(.release, at: change.time), isWished: true)
    }
  }

  /// It is not known what became of a key: whatever it was the beginning of is nothing.
  private mutating func abandon(_ code: UInt16, _ time: Int64, into output: inout GestureOutput) {
    guard let index = presses.firstIndex(where: { $0.key.code == code }) else { return }
    let press = presses.remove(at: index)
    if case .joining = press.phase { output.give(press.gesture(.press), isWished: press.spot.isWished(.press)) }
    if press.isHeld { output.give(press.gesture(.hold, at: time, isOn: false), isWished: true) }
  }

  // MARK: Presses

  /// The press is no part of a chord.
  private mutating func begin(_ index: Int, into output: inout GestureOutput) {
    let press = presses[index]
    let single = press.gesture(.press)
    let long = press.time.later(by: press.spot.longPress)
    if press.spot.isWished(.hold) {
      presses[index].isHeld = true
      output.give(press.gesture(.hold, isOn: true), isWished: true)
    }
    if press.spot.isWished(.longPress) {
      presses[index].phase = .open(isGiven: press.spot.isEager, long: long)
      if press.spot.isEager { output.give(single, isWished: press.spot.isWished(.press)) }
      if let rule = press.spot.repetition { repetition(rule) { $0.wait(until: long) } }
    } else {
      presses[index].phase = .made
      if let rule = press.spot.repetition {
        repetition(rule) {
          $0.add(single, as: rule, into: &output)
          // A press that is held is not the first of two.
          $0.wait(until: long)
        }
      } else {
        output.give(single, isWished: press.spot.isWished(.press))
      }
    }
  }

  /// The press has become a long one.
  private mutating func lengthen(_ index: Int, _ time: Int64, into output: inout GestureOutput) {
    guard case .open(let isGiven, _) = presses[index].phase else { return }
    presses[index].phase = .long
    let press = presses[index]
    if let rule = press.spot.repetition { repetition(rule) { $0.flush(into: &output) } }
    output.give(
      press.gesture(.longPress, at: time, takesBack: isGiven ? [press.gesture(.press)] : []), isWished: true)
  }

  /// Makes the largest chord of the keys that are joining, once it is certain that no larger one comes.
  ///
  /// - Parameter last: the press for which it cannot wait any longer.
  @discardableResult
  private mutating func makeChord(of last: Int?, into output: inout GestureOutput) -> Bool {
    let joining = presses.indices.filter { if case .joining = presses[$0].phase { true } else { false } }
    var best: (wish: Wish, members: [Int])?
    for wish in wishes where wish.chord > best?.wish.chord ?? 0 {
      let members = joining.filter { wish.matches(presses[$0].key) }
      guard members.count == wish.chord, last.map(members.contains) ?? true, let first = members.first,
        let end = members.last, presses[end].time.elapsed(since: presses[first].time) ?? .max <= wish.timing.chord
      else { continue }
      best = (wish, members)
    }
    guard let (wish, members) = best else { return false }
    let isPartOfMore = wishes.contains { more in
      more.chord > wish.chord && members.allSatisfy { more.matches(presses[$0].key) }
    }
    guard last != nil || !isPartOfMore, let end = members.last else { return false }
    let chord = Gesture(kind: .chord, time: presses[end].time, chord: members.map { presses[$0].key })
    for member in members { presses[member].phase = .used }
    output.give(chord, isWished: true)
    return true
  }

  // MARK: Repetitions

  private mutating func repetition(_ rule: Repetition.Rule, _ act: (inout Repetition) -> Void) {
    let index = repetitions.firstIndex { $0.rule == rule } ?? repetitions.endIndex
    if index == repetitions.endIndex { repetitions.append(Repetition()) }
    act(&repetitions[index])
  }

  private mutating func tidy() {
    repetitions.removeAll { !$0.isInProgress }
    let dues = [
      edges.deadline, presses.lazy.compactMap(\.deadline).min(), repetitions.lazy.compactMap(\.deadline).min(),
    ]
    deadline = dues.compactMap(\.self).min() ?? .max
  }
}
