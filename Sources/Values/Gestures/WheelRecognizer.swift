/// Recognises the detents of wheels and dials.
///
/// Fine wheels report parts of a detent, 120 to a whole one, and also whole detents as the kernel counts them
/// (Documentation/input/event-codes.rst). If a report has both, only the parts are counted. Some remappers report some
/// turns only in parts and others only in whole detents (jtroo/kanata#395); both count.
///
/// The jog wheel of a Contour Shuttle does not report detents. Every report states its counter of 8 bits, and the angle
/// of its ring; shuttlepro.c and mediactrl.c, two public drivers, count the differences of the counter.
///
/// A rotary encoder on the pins of a board (rotary-encoder in the kernel's device tree) is a dial that reports on the
/// axis that its device tree names: steps of a relative axis, or its position on an absolute one.
struct WheelRecognizer: Sendable {
  private struct Axis {
    let code: UInt16
    let fineCode: UInt16?
    let forward: Gesture.Kind
    let back: Gesture.Kind
    /// The parts since the last detent.
    var parts: Int64 = 0
    /// The whole detents of the frame so far; 0 without any.
    var wholes: Int64 = 0
    /// The parts of the frame so far; nil without any.
    var news: Int64?
    /// The sum of the latest detents that were reported only in parts, or only as whole ones, with the time of the
    /// first.
    private var single: (isFine: Bool, steps: Int64, time: Int64)?

    init(code: UInt16, fineCode: UInt16?, forward: Gesture.Kind, back: Gesture.Kind) {
      (self.code, self.fineCode, self.forward, self.back) = (code, fineCode, forward, back)
    }

    /// Removes and returns the detents of a frame.
    mutating func steps(at time: Int64) -> Int64 {
      defer { (wholes, news) = (0, nil) }
      guard let news else { return unrepeated(wholes, isFine: false, time) }
      // A part of a detent does not count towards a turn in the other direction.
      if parts.signum() == -news.signum() { parts = 0 }
      parts += news
      defer { parts %= WheelRecognizer.partsOfDetent }
      let steps = parts / WheelRecognizer.partsOfDetent
      return wholes == 0 ? unrepeated(steps, isFine: true, time) : steps
    }

    /// The detents of a frame, without the detents that a frame just before has reported in the other form.
    private mutating func unrepeated(_ steps: Int64, isFine: Bool, _ time: Int64) -> Int64 {
      guard steps != 0 else { return 0 }
      guard let last = single, time.elapsed(since: last.time) ?? .max <= WheelRecognizer.repetition,
        last.steps.signum() == steps.signum()
      else {
        single = (isFine, steps, time)
        return steps
      }
      if last.isFine == isFine {
        single = (isFine, last.steps + steps, last.time)
        return steps
      }
      let rest = steps - last.steps
      let isMore = rest.signum() == steps.signum()
      single = isMore ? (isFine, rest, time) : (last.isFine, -rest, last.time)
      return isMore ? rest : 0
    }

    mutating func cancel() { (parts, single) = (0, nil) }
  }

  private static let partsOfDetent: Int64 = 120
  /// The longest time between a whole detent and its parts, if a device reports them separately, in nanoseconds.
  private static let repetition: Int64 = 20_000_000
  /// The largest number of detents between two reports. A larger report is invalid: a wheel is known that reports 127
  /// and 128 detents down at each click, in either direction (ShadowBlip/InputPlumber#584).
  private static let mostSteps: Int64 = 64

  private var axes = [
    Axis(code: EventCode.REL_WHEEL, fineCode: EventCode.REL_WHEEL_HI_RES, forward: .wheelUp, back: .wheelDown),
    Axis(
      code: EventCode.REL_HWHEEL, fineCode: EventCode.REL_HWHEEL_HI_RES, forward: .wheelRight,
      back: .wheelLeft),
    Axis(code: EventCode.REL_DIAL, fineCode: nil, forward: .dialRight, back: .dialLeft),
  ]
  /// Whether the dial reports the value of a counter, so that the other axes do not report detents.
  private let isCounter: Bool
  /// The counter's last value; nil until it is known.
  private var counter: UInt8?
  /// The axis of a rotary encoder.
  private let encoder: RotaryEncoder?
  /// The encoder's last position; nil until it is known.
  private var position: Int32?
  private let refractories: [Gesture.Kind: Int64]
  private let common: Timing

  /// Nil if the device has no wheel.
  init?(_ device: DeviceDescription, interests: [Interest], timing: Timing) {
    guard device.hasWheels else { return nil }
    let own = interests.filter { $0.target == .wheel }
    refractories = Dictionary(own.map { ($0.kind, $0.timing.refractory) }, uniquingKeysWith: { first, _ in first })
    common = timing
    isCounter = device.hasCounterDial
    encoder = device.rotaryEncoder
  }

  mutating func handle(_ frame: Frame, into output: inout GestureOutput) {
    if let encoder {
      for event in frame.events { turn(encoder, event, isResync: frame.isResync) }
    }
    guard !frame.isResync else { return }
    for event in frame.events where event.type == EventCode.EV_REL && encoder == nil {
      for index in axes.indices {
        if event.code == axes[index].code { axes[index].wholes += detents(event) }
        if event.code == axes[index].fineCode, !isCounter {
          axes[index].news = (axes[index].news ?? 0) + Int64(event.value)
        }
      }
    }
    for index in axes.indices {
      let steps = axes[index].steps(at: frame.time)
      guard steps != 0 else { continue }
      guard abs(steps) <= Self.mostSteps else {
        output.report(.overturned(detents: Int(clamping: steps.magnitude)))
        continue
      }
      let kind = steps > 0 ? axes[index].forward : axes[index].back
      for _ in 0..<abs(steps) {
        guard !output.refuses(frame.time, refractories[kind] ?? common.refractory) else { break }
        output.emit(Gesture(kind: kind, time: frame.time), isBound: refractories[kind] != nil)
      }
    }
  }

  private mutating func turn(_ encoder: RotaryEncoder, _ event: InputEvent, isResync: Bool) {
    switch encoder {
    case .steps(let code):
      if event.type == EventCode.EV_REL, event.code == code, !isResync { axes[2].wholes += Int64(event.value) }
    case .position(let code, let range):
      guard event.type == EventCode.EV_ABS, event.code == code else { return }
      defer { position = event.value }
      guard !isResync else { return }
      // The first position is compared with 0, with which the kernel begins.
      var way = Int64(event.value) - Int64(position ?? 0)
      // At the ends of its range the position wraps around.
      // Some drivers state the last position instead of the number of positions.
      if abs(way) == range, position != nil { way -= way.signum() * (range + 1) }
      if abs(way) > range / 2, abs(way) < range { way -= way.signum() * range }
      // The first report of a recording may state any position: only a single step counts.
      if position != nil || abs(way) == 1 { axes[2].wholes += way }
    }
  }

  /// The whole detents that an event of an axis reports.
  private mutating func detents(_ event: InputEvent) -> Int64 {
    guard isCounter else { return Int64(event.value) }
    guard event.code == EventCode.REL_DIAL else { return 0 }
    // The kernel does not report the value 0, so the next value differs by two.
    let value = UInt8(truncatingIfNeeded: event.value)
    defer { counter = value }
    return Int64(Int8(bitPattern: value &- (counter ?? value)))
  }

  mutating func cancel() {
    for index in axes.indices { axes[index].cancel() }
  }
}

/// The reports of a rotary encoder.
enum RotaryEncoder: Equatable, Sendable {
  /// Steps of this relative axis.
  case steps(UInt16)
  /// The position on this absolute axis, with the number of positions.
  case position(UInt16, range: Int64)
}

extension DeviceDescription {
  /// The axis of a device that is only a rotary encoder. A device with more axes or keys is a mouse or a joystick.
  var rotaryEncoder: RotaryEncoder? {
    let others = Set(codes.keys).subtracting([EventCode.EV_SYN, EventCode.EV_REL, EventCode.EV_ABS])
    guard !properties.contains(EventCode.INPUT_PROP_ACCELEROMETER), others.allSatisfy({ codes[$0]?.isEmpty ?? true })
    else { return nil }
    let relative = codes[EventCode.EV_REL] ?? []
    let absolute = codes[EventCode.EV_ABS] ?? Set(axes.keys)
    if relative.count == 1, absolute.isEmpty, let code = relative.first,
      ![EventCode.REL_WHEEL_HI_RES, EventCode.REL_HWHEEL_HI_RES].contains(code)
    {
      return .steps(code)
    }
    guard relative.isEmpty, absolute.count == 1, let code = absolute.first, code < EventCode.ABS_HAT0X,
      let axis = axes[code], axis.minimum < axis.maximum
    else { return nil }
    return .position(code, range: Int64(axis.maximum) - Int64(axis.minimum))
  }

  /// Whether the device is only a rotary encoder, whose turns count as turns of a dial.
  public var isRotaryEncoder: Bool { rotaryEncoder != nil }

  /// Whether the device is a ShuttlePro, a ShuttleXpress or a ShuttlePro v2 of Contour Design.
  fileprivate var hasCounterDial: Bool {
    vendor == 0x0b33 && [0x0010, 0x0011, 0x0020, 0x0030].contains(product)
      && sends(EventCode.EV_REL, EventCode.REL_DIAL)
  }
}
