/// Recognises gestures of keys, buttons, pedals and switches: presses, which count on the way down, and all other bound
/// gestures.
struct KeyRecognizer: Sendable {
  let interests: [Interest]
  private let common: Timing
  private let longestBounce: Int64
  /// Whether every key code is a button.
  private let isGameBoard: Bool
  private let mayTypeTexts: Bool
  /// The buttons that the device also reports as a hat. They count only if a binding names them.
  private let buttonsOfHat: Set<UInt16>
  private var directions: DirectionKeys
  private var edges = KeyEdges()
  private var typing: TypingFilter
  private var scans = LoneScans()
  /// The modifier that is down and was pressed alone.
  private var loneModifier: UInt16?
  /// The number of the current report.
  private var report = 0
  /// The bindings of the keys pressed last, cached because the search is costly.
  private var cache: [(key: Gesture.PressedKey, bindings: KeyBindings)] = []
  /// The keys that are down and whose press edge was received.
  var presses: [KeyPress] = []
  /// Presses that may become a double-press or a longer row, one entry for each rule.
  private var repetitions: [Repetition] = []
  /// The time at which ``advance(to:into:)`` must be called if no frame comes before; `.max` for never.
  private(set) var deadline = Int64.max

  /// The maximum number of entries of ``cache``: more keys than a hand presses in turn.
  private static let cacheSize = 8

  init(_ device: DeviceDescription, interests: [Interest], timing: Timing) {
    self.interests = interests.filter { if case .keys = $0.target { true } else { false } }
    common = timing
    longestBounce = self.interests.reduce(timing.bounce) { max($0, $1.timing.bounce) }
    directions = DirectionKeys(device)
    isGameBoard = device.isGameBoard
    mayTypeTexts = device.mayTypeTexts
    buttonsOfHat = device.buttonsOfHat
    typing = TypingFilter(isDelayed: device.bus == Timing.bluetooth)
  }

  /// The end of the last debounce time; `.min` before the first edge.
  var quietAfter: Int64 { edges.latest?.later(by: longestBounce) ?? .min }

  /// The number of presses that were classified as bouncing since the last report of bouncing.
  var bouncing: Int { edges.bouncing }

  /// Copies the key and debounce state of the device's former recogniser, which must have no gesture in progress.
  mutating func inheritState(from former: KeyRecognizer) {
    (edges, typing, scans, report) = (former.edges, former.typing, former.scans, former.report)
  }

  /// Handles one frame, in which a key may be pressed and released any number of times.
  mutating func handle(_ frame: Frame, into output: inout GestureOutput) {
    var scan: UInt32?
    report &+= 1
    for event in frame.events {
      switch event.type {
      case EventCode.EV_MSC where event.code == EventCode.MSC_SCAN: scan = UInt32(bitPattern: event.value)
      case EventCode.EV_KEY where isGameBoard || !EventCode.isTouchState(event.code):
        let key = Gesture.PressedKey(code: event.code, scan: scan)
        // The value 2 is the kernel's autorepeat.
        if 0...1 ~= event.value, !buttonsOfHat.contains(event.code) || isNamed(key) {
          take(key, event.value == 1, frame, into: &output)
        }
        scan = nil
      case EventCode.EV_SW where event.code < 0x100 && 0...1 ~= event.value:
        take(.init(code: KeyCode.firstSwitch + event.code), event.value == 1, frame, into: &output)
      case EventCode.EV_ABS where !directions.isEmpty:
        for (code, isDown) in directions.take(event) { take(.init(code: code), isDown, frame, into: &output) }
      default: break
      }
    }
    if let scan = scans.take(frame) { press(scan, frame, into: &output) }
  }

  /// Handles the press of a button that sends only a scan code.
  private mutating func press(_ scan: UInt32, _ frame: Frame, into output: inout GestureOutput) {
    let key = Gesture.PressedKey(code: KeyCode.unknown, scan: scan)
    guard isNamed(key) else { return output.report(.loneScan(scan)) }
    // Another button without a key may be down, whose release then has no effect.
    for isDown in [false, true, false] { take(key, isDown, frame, into: &output) }
  }

  /// Whether a binding names the key.
  private func isNamed(_ key: Gesture.PressedKey) -> Bool { interests.contains { $0.namesKeys && $0.matches(key) } }

  /// Completes the gestures that are due until `time`.
  mutating func advance(to time: Int64, into output: inout GestureOutput) {
    guard deadline <= time else { return }
    for edge in typing.advance(to: time) { take(edge, into: &output) }
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
    reportTexts(into: &output)
    tidy()
  }

  /// Forgets all keys that are down. Emits presses that only waited for a second one.
  mutating func cancel(at time: Int64, into output: inout GestureOutput) {
    for edge in typing.end() { take(edge, into: &output) }
    typing.clear()
    edges.clear()
    while let press = presses.first { abandon(press.key.code, time, into: &output) }
    for index in repetitions.indices { repetitions[index].flush(into: &output) }
    reportTexts(into: &output)
    tidy()
  }

  // MARK: Edges

  private mutating func take(
    _ key: Gesture.PressedKey, _ isDown: Bool, _ frame: Frame, into output: inout GestureOutput
  ) {
    if frame.isResync {
      for edge in typing.end() { take(edge, into: &output) }
      typing.clear()
      edges.set(key.code, isDown: isDown)
      abandon(key.code, frame.time, into: &output)
    } else {
      let binding = isDown ? interests.firstIndex { $0.matches(key) } : nil
      let edge = TypingFilter.Edge(key: key, isDown: isDown, time: frame.time, report: report, binding: binding)
      // Only keys that type characters pass the filter, not modifiers, switches and sticks.
      if mayTypeTexts, KeyCode.isMeantByAny(key.code), key.code < KeyCode.firstSwitch {
        for edge in typing.take(edge, releases: isDown ? frame.releasedKeys : []) { take(edge, into: &output) }
      } else {
        take(edge, into: &output)
      }
    }
    reportTexts(into: &output)
    tidy()
  }

  private mutating func take(_ edge: TypingFilter.Edge, into output: inout GestureOutput) {
    let bounce = interests.first { $0.matches(edge.key) }?.timing.bounce ?? common.bounce
    // Bounce times that ended earlier are applied before the edge that waited.
    for change in edges.advance(to: edge.time) { apply(change, into: &output) }
    edges.report = edge.report
    for change in edges.take(edge.key, isDown: edge.isDown, at: edge.time, bounce: bounce) {
      apply(change, into: &output)
    }
    if let bounced = edges.takeBounced() { output.report(.bounced(key: bounced.key, presses: bounced.presses)) }
  }

  private mutating func apply(_ change: KeyEdges.Change, into output: inout GestureOutput) {
    if change.isDown { press(change.key, change.time, into: &output) } else { release(change, into: &output) }
  }

  private mutating func press(_ key: Gesture.PressedKey, _ time: Int64, into output: inout GestureOutput) {
    let bindings = bindings(of: key)
    loneModifier = presses.isEmpty && isLeftOut(key) ? key.code : nil
    var press = KeyPress(key: key, time: time, bindings: bindings)
    let isFurther = repetitions.contains { $0.isInProgress && $0.rule == bindings.repetition }
    if !isFurther, output.refuses(time, bindings.refractory(.press)) {
      press.phase = .used
      presses.append(press)
    } else if bindings.chord > 0 {
      press.phase = .joining(until: time.later(by: bindings.chord))
      presses.append(press)
      makeChord(of: nil, into: &output)
    } else {
      presses.append(press)
      begin(presses.count - 1, into: &output)
    }
  }

  /// Whether a key counts nowhere: it is a modifier or a lock key, and only a binding for any key exists.
  private func isLeftOut(_ key: Gesture.PressedKey) -> Bool {
    !KeyCode.isMeantByAny(key.code) && key.code < KeyCode.firstSwitch && !isNamed(key)
      && interests.contains { !$0.namesKeys }
  }

  private mutating func bindings(of key: Gesture.PressedKey) -> KeyBindings {
    if let known = cache.first(where: { $0.key == key }) { return known.bindings }
    let bindings = KeyBindings(key, interests: interests, common: common)
    if cache.count == Self.cacheSize { cache.removeFirst() }
    cache.append((key, bindings))
    return bindings
  }

  private mutating func release(_ change: KeyEdges.Change, into output: inout GestureOutput) {
    guard let index = presses.firstIndex(where: { $0.key.code == change.key.code }) else { return }
    if loneModifier == change.key.code { output.report(.loneModifier(key: change.key.code)) }
    if case .joining = presses[index].phase { begin(index, into: &output) }
    let press = presses.remove(at: index)
    let single = press.gesture(.press)
    if case .open(let isEmitted, _) = press.phase {
      if let rule = press.bindings.repetition {
        repetition(rule) { $0.add(single, as: rule, isEmitted: isEmitted, into: &output) }
      } else if !isEmitted {
        output.emit(single, isBound: press.bindings.isBound(.press))
      }
    }
    if let rule = press.bindings.repetition, press.phase != .used, press.phase != .long {
      repetition(rule) { $0.pause(from: change.time) }
    }
    if press.isHeld { output.emit(press.gesture(.hold, at: change.time, isOn: false), isBound: true) }
    if press.phase != .used, press.bindings.isBound(.release) {
      output.emit(press.gesture(.release, at: change.time), isBound: true)
    }
  }

  /// Drops a press whose further state is unknown, with the gestures that it could have begun.
  private mutating func abandon(_ code: UInt16, _ time: Int64, into output: inout GestureOutput) {
    guard let index = presses.firstIndex(where: { $0.key.code == code }) else { return }
    let press = presses.remove(at: index)
    if case .joining = press.phase { output.emit(press.gesture(.press), isBound: press.bindings.isBound(.press)) }
    if press.isHeld { output.emit(press.gesture(.hold, at: time, isOn: false), isBound: true) }
  }

  // MARK: Repetitions

  mutating func repetition(_ rule: Repetition.Rule, _ act: (inout Repetition) -> Void) {
    let index = repetitions.firstIndex { $0.rule == rule } ?? repetitions.endIndex
    if index == repetitions.endIndex { repetitions.append(Repetition()) }
    act(&repetitions[index])
  }

  private mutating func reportTexts(into output: inout GestureOutput) {
    let typed = typing.takeTyped()
    if typed > 0 { output.report(.typed(keys: typed)) }
  }

  private mutating func tidy() {
    repetitions.removeAll { !$0.isInProgress }
    let dues = [
      edges.deadline, typing.deadline, presses.lazy.compactMap(\.deadline).min(),
      repetitions.lazy.compactMap(\.deadline).min(),
    ]
    deadline = dues.compactMap(\.self).min() ?? .max
  }
}

extension Frame {
  fileprivate var releasedKeys: Set<UInt16> {
    guard events.count > 1 else { return [] }
    return Set(events.lazy.filter { $0.type == EventCode.EV_KEY && $0.value == 0 }.map(\.code))
  }
}
