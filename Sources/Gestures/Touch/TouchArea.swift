/// A part of a touch surface in which one touch at a time is made: where the same zones lie on each other. What fingers
/// do in different areas has nothing to do with each other, for two people or two hands make it.
struct TouchArea: Equatable, Sendable {
  /// The zones that cover it, the smallest first.
  let zones: [Zone]
  private let spots: [TouchSpot]
  private var touch = Touch.idle
  /// The last touch, and what it gave, for as long as a contact could turn out never to have lifted from it.
  private var previous: Previous?
  /// What the touch in progress gave before it turned out not to be over.
  private var given: Gesture?
  private var taps = Repetition()
  private var place = Stroke.Vector(x: 0, y: 0)
  /// When a long press is due.
  private var longPress: Int64?

  /// As many fingers as a hand has.
  static let mostFingers = 5

  init(zones: [Zone], wishes: [Wish], on surface: TouchSurface, common: TouchLimits) {
    self.zones = zones
    spots = (1...Self.mostFingers).map {
      TouchSpot(fingers: $0, in: zones, wishes: wishes, on: surface, common: common)
    }
  }

  private struct Previous: Equatable, Sendable {
    let touch: Touch
    let given: Gesture?
  }

  /// When something is due if nothing happens before.
  var deadline: Int64? {
    switch (longPress, taps.deadline) {
    case (let one?, let other?): min(one, other)
    case (let one, let other): one ?? other
    }
  }

  private func spot(_ fingers: Int) -> TouchSpot? { fingers <= Self.mostFingers ? spots[fingers - 1] : nil }

  // MARK: Fingers

  /// Whether a contact that lands there only seemed to lift from here.
  func isLeft(by place: Stroke.Vector, _ time: Int64) -> Bool {
    let fingers: Touch.Fingers? =
      switch (touch, previous?.touch) {
      case (.open(let fingers), _), (.over(let fingers), _), (.idle, .open(let fingers)?), (.idle, .over(let fingers)?):
        fingers
      case (.idle, _): nil
      }
    return fingers?.strokes.contains { $0.isContinued(at: place, time, limits: spots[0].landing) } ?? false
  }

  /// A contact landed; returns the stroke that begins, or that goes on because the contact only seemed to lift.
  mutating func land(
    at place: Stroke.Vector, _ position: Gesture.Position, _ time: Int64, into output: inout GestureOutput
  ) -> Stroke {
    if let stroke = rejoin(at: place, time) {
      if case .open(let fingers) = touch {
        taps.wait(until: max(fingers.startTime.later(by: spots[0].longPress), time.later(by: 1)))
      }
      if case .open(let fingers) = touch, fingers.down == fingers.most { awaitLongPress(fingers, after: time) }
      return stroke
    }
    switch touch {
    case .idle:
      previous = nil
      given = nil
      touch = .open(Touch.Fingers(landed: position, at: time))
      if taps.isInProgress, (place - self.place).length > spots[0].limits(for: .doubleTap).again {
        taps.flush(into: &output)
      }
      if !taps.isInProgress { self.place = place }
      taps.wait(until: time.later(by: spots[0].longPress))
    case .open(var fingers):
      fingers.land(at: time)
      touch = .open(fingers)
    case .over(var fingers):
      fingers.land(at: time)
      touch = .over(fingers)
    }
    if case .open(let fingers) = touch { begin(fingers, into: &output) }
    return Stroke(from: place, at: time)
  }

  /// The device says that more fingers are down than it shows.
  mutating func tell(_ count: Int, at time: Int64, into output: inout GestureOutput) {
    guard case .open(var fingers) = touch, count > fingers.count else { return }
    fingers.tell(count, at: time)
    touch = .open(fingers)
    begin(fingers, into: &output)
  }

  /// A contact lifted, of which this is all.
  mutating func lift(_ stroke: Stroke, into output: inout GestureOutput) {
    longPress = nil
    switch touch {
    case .idle: return
    case .open(var fingers):
      fingers.lift(stroke)
      touch = .open(fingers)
      guard fingers.down == 0 else { return }
      touch = .idle
      conclude(spot(fingers.count)?.verdict(on: fingers, lifted: stroke.end), fingers, stroke.end, into: &output)
      previous = Previous(touch: .open(fingers), given: given)
    case .over(var fingers):
      fingers.lift(stroke)
      touch = fingers.down == 0 ? .idle : .over(fingers)
      if fingers.down == 0 { previous = Previous(touch: .over(fingers), given: nil) }
    }
  }

  /// Nothing more may be made of the fingers that are down now.
  mutating func spoil(down: Int, at time: Int64) {
    // Taps that waited for what these fingers would do need not wait for it any more.
    if touch != .idle || down > 0 { taps.wait(until: time) }
    touch = down > 0 ? .over(Touch.Fingers(landed: .init(x: 0, y: 0), at: time, down: down)) : .idle
    previous = nil
    given = nil
    longPress = nil
  }

  /// Gives the taps that wait whether more follow.
  mutating func flush(into output: inout GestureOutput) { taps.flush(into: &output) }

  // MARK: Time

  /// It is `time`, and some of what was due has come.
  ///
  /// - Parameter isStill: whether all fingers in the area are where they landed.
  mutating func advance(to time: Int64, isStill: Bool, into output: inout GestureOutput) {
    if let due = taps.deadline, due <= time { taps.flush(into: &output) }
    guard let due = longPress, due <= time else { return }
    longPress = nil
    guard case .open(let fingers) = touch, isStill else { return }
    conclude(.longPress, fingers, due, into: &output)
    touch = .over(fingers)
  }

  // MARK: Judgement

  private mutating func begin(_ fingers: Touch.Fingers, into output: inout GestureOutput) {
    let isNew = fingers.most == fingers.down && fingers.landings == fingers.most
    longPress = nil
    guard isNew, let spot = spot(fingers.count) else { return }
    awaitLongPress(fingers, after: fingers.lastLanding)
    guard spot.isWished(.touch), !output.refuses(fingers.startTime, spot.limits(for: .touch).refractory) else { return }
    output.give(gesture(.touch, fingers, fingers.lastLanding), isWished: true)
  }

  private mutating func awaitLongPress(_ fingers: Touch.Fingers, after time: Int64) {
    guard let spot = spot(fingers.count), spot.isWished(.longPress) else { return }
    let due = fingers.lastLanding.later(by: spot.longPress)
    longPress = due > time ? due : nil
  }

  private mutating func rejoin(at place: Stroke.Vector, _ time: Int64) -> Stroke? {
    let limits = spots[0].landing
    switch touch {
    case .open(var fingers):
      guard let stroke = fingers.rejoin(at: place, time, limits: limits) else { return nil }
      touch = .open(fingers)
      return stroke
    case .over(var fingers):
      guard let stroke = fingers.rejoin(at: place, time, limits: limits) else { return nil }
      touch = .over(fingers)
      return stroke
    case .idle:
      guard let last = previous else { return nil }
      touch = last.touch
      guard let stroke = rejoin(at: place, time) else {
        touch = .idle
        return nil
      }
      previous = nil
      given = last.given
      return stroke
    }
  }

  /// What the touch was is known.
  private mutating func conclude(
    _ kind: Gesture.Kind?, _ fingers: Touch.Fingers, _ time: Int64, into output: inout GestureOutput
  ) {
    var takesBack: [Gesture] = []
    if let earlier = given {
      if kind == nil || kind == earlier.kind && fingers.count == earlier.fingers {
        return taps.pause(from: time)
      }
      let isRepeatable = earlier.kind == .tap && spot(earlier.fingers)?.repetition != nil
      takesBack = isRepeatable ? taps.withdraw(into: &output) : [earlier]
      given = nil
    }
    guard let kind, let spot = spot(fingers.count) else { return taps.flush(into: &output) }
    let isRepeated = kind == .tap && taps.isInProgress && taps.rule == spot.repetition
    if !isRepeated {
      taps.flush(into: &output)
      if takesBack.isEmpty, output.refuses(fingers.startTime, spot.limits(for: kind).refractory) { return }
    }
    let gesture = gesture(kind, fingers, time).renamed(kind, takesBack: takesBack)
    given = gesture
    if kind == .tap, let rule = spot.repetition {
      taps.add(gesture, as: rule, into: &output)
      taps.pause(from: time)
    } else {
      output.give(gesture, isWished: spot.isWished(kind))
    }
  }

  private func gesture(_ kind: Gesture.Kind, _ fingers: Touch.Fingers, _ time: Int64) -> Gesture {
    Gesture(
      kind: kind, time: time, fingers: fingers.count, position: fingers.landed, zone: zones.first?.name)
  }
}
