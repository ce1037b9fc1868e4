// What a device may report. The input describes a device and the interests in its first bytes; then come records of
// eight bytes: type, time that passed (in 4 ms), code and value, as the kernel's event structure has them. A few types
// that the kernel has not stand for what happens to the program.
import Gestures

/// The types of records that are no events.
private enum Special {
  static let advance: UInt8 = 0xf0
  static let cancel: UInt8 = 0xf1
  /// Sets the clock to anything at all.
  static let clock: UInt8 = 0xf2
}

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(UnsafeRawBufferPointer(start: bytes, count: count))
  let device = device(&input)
  let interests = interests(&input)
  let recognizer = DeviceRecognizer(
    description: device, interests: interests,
    calibration: Calibration(
      swapsAxes: input.flag(), invertsX: input.flag(), invertsY: input.flag(), turn: input.flag() ? .right : .none))
  var run = Run(recognizer, hasChords: interests.contains { $0.kind == .chord })
  while let record = input.record() { run.take(record) }
  run.end()
  checkTaps(bytes, count)
  return 0
}

// MARK: Taps

/// Where only a tap is bound, taps of disjoint contacts each count, however they overlap in time. Each byte lands or lifts
/// the finger of a slot and lets some time pass.
private func checkTaps(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let axis = DeviceDescription.Axis(minimum: 0, maximum: 1000)
  let device = DeviceDescription(
    name: "screen", properties: [1], codes: [3: [0x2f, 0x35, 0x36, 0x39]],
    axes: [0x2f: .init(minimum: 0, maximum: 9), 0x35: axis, 0x36: axis])
  var recognizer = DeviceRecognizer(description: device, interests: [Interest(.tap, .touch(fingers: 1, zone: nil))])
  var landings = [Int64?](repeating: nil, count: 8)
  var now: Int64 = 1_000_000_000
  var taps = (made: 0, counted: 0)
  var id: Int32 = 0
  for byte in UnsafeBufferPointer(start: bytes, count: min(count, 4096)) {
    let slot = Int(byte & 7)
    // More than a dropout of the panel between any two changes.
    now += 50_000_000 + Int64(byte >> 3) * 5_000_000
    var events = [(0x2f, Int32(slot))]
    if let landed = landings[slot] {
      events.append((0x39, -1))
      if now - landed <= Timing.standard.longestTap { taps.made += 1 }
      landings[slot] = nil
    } else {
      id += 1
      events += [(0x39, id), (0x35, 60 + 120 * Int32(slot)), (0x36, 500)]
      landings[slot] = now
    }
    let frame = Frame(time: now, events: events.map { InputEvent(type: 3, code: UInt16($0.0), value: $0.1) })
    taps.counted += recognizer.handle(frame).count { $0.kind == .tap }
  }
  demand(taps.made == taps.counted, "\(taps.made) taps were made and \(taps.counted) counted")
}

// MARK: The device

private func device(_ input: inout Input) -> DeviceDescription {
  let choice = input.byte()
  let axis = DeviceDescription.Axis(minimum: 0, maximum: 1000, resolution: choice & 0x10 == 0 ? 0 : 10)
  var device = DeviceDescription(name: "device", properties: [1], codes: [1: [0x14a]])
  switch choice % 5 {
  case 0:
    device.codes[3] = [0, 1, 0x2f, 0x30, 0x35, 0x36, 0x37, 0x39, 0x3a, 0x3b]
    device.axes = [0: axis, 1: axis, 0x2f: .init(minimum: 0, maximum: 9), 0x30: axis, 0x35: axis, 0x36: axis]
  case 1:
    device.codes[3] = [0x30, 0x35, 0x36, 0x37]
    device.axes = [0x30: axis, 0x35: axis, 0x36: axis]
  case 2:
    device.codes[3] = [0, 1]
    device.axes = [0: axis, 1: axis]
  case 3:
    device.codes = [1: Set(1...255), 3: [0x10, 0x11], 4: [4], 5: Set(0...8)]
    device.axes = [0x10: .init(minimum: -1, maximum: 1), 0x11: .init(minimum: -1, maximum: 1)]
  default: device.codes = [1: Set(0x110...0x117), 2: [0, 1, 6, 7, 8, 11, 12]]
  }
  if choice & 0x80 != 0 {
    for code in device.axes.keys.sorted() where input.flag() {
      device.axes[code] = .init(minimum: input.number(), maximum: input.number(), resolution: input.number())
    }
  }
  return device
}

private func interests(_ input: inout Input) -> [Interest] {
  var eager = Timing.standard
  eager.mode = .eager
  var slow = Timing.standard
  slow.refractory = 300_000_000
  let left = Zone.halves.first
  let all: [Interest] = [
    Interest(.tap, .touch(fingers: 1, zone: nil)), Interest(.doubleTap, .touch(fingers: 1, zone: nil)),
    Interest(.doubleTap, .touch(fingers: 1, zone: left), timing: eager),
    Interest(.tripleTap, .touch(fingers: 2, zone: nil)), Interest(.longPress, .touch(fingers: 1, zone: left)),
    Interest(.touch, .touch(fingers: 1, zone: nil)), Interest(.swipeDown, .touch(fingers: 3, zone: left), timing: slow),
    Interest(.tap, .touch(fingers: 1, zone: Zone(column: 2, row: 2, of: (3, 3)))),
    Interest(.press, .keys(codes: [30, 48], scans: [])),
    Interest(.doublePress, .keys(codes: [], scans: []), timing: eager),
    Interest(.triplePress, .keys(codes: [30], scans: [])), Interest(.longPress, .keys(codes: [30, 48], scans: [])),
    Interest(.hold, .keys(codes: [31], scans: [7])), Interest(.chord, .keys(codes: [30, 48], scans: [])),
    Interest(.release, .keys(codes: [], scans: [])), Interest(.wheelUp, .wheel, timing: slow),
  ]
  let chosen = UInt16(input.byte()) | UInt16(input.byte()) << 8
  return all.enumerated().filter { chosen & 1 << UInt16($0.offset) != 0 }.map(\.element)
}

// MARK: The run

/// Two recognisers see the same frames, one of which is also told of every moment at which something is due.
private struct Run {
  private var punctual: DeviceRecognizer
  private var late: DeviceRecognizer
  private let hasChords: Bool
  private var now: Int64 = 1_000_000_000
  /// Whether time has never gone backwards, nor to where sums with it have no place.
  private var isSane = true
  private var events: [InputEvent] = []
  private var isResync = true
  private var given: (punctual: [Gesture], late: [Gesture]) = ([], [])

  init(_ recognizer: DeviceRecognizer, hasChords: Bool) {
    (punctual, late) = (recognizer, recognizer)
    self.hasChords = hasChords
  }

  mutating func take(_ record: Input.Record) {
    now = now.addingReportingOverflow(Int64(record.wait) * 4_000_000).partialValue
    switch (record.type, record.code) {
    case (Special.advance, _): due(until: now)
    case (Special.cancel, _): end()
    case (Special.clock, let code):
      now = Int64(record.value) << Int64(code & 31)
      isSane = false
    case (0, 0): report()
    case (0, 3): isResync = true
    default: events.append(InputEvent(type: UInt16(record.type), code: record.code, value: record.value))
    }
  }

  /// The device is gone: what waits is given, and both have seen the same.
  mutating func end() {
    due(until: now)
    given.punctual += punctual.cancel()
    given.late += late.advance(to: now) + late.cancel()
    demand(punctual.nextDeadline == nil && late.nextDeadline == nil, "nothing waits behind an end")
    settle()
    demand(given.punctual.isEmpty && given.late.isEmpty, "\(given.late) was given later than \(given.punctual)")
  }

  private mutating func report() {
    let frame = Frame(time: now, events: events, isResync: isResync)
    (events, isResync) = ([], false)
    due(until: frame.time)
    let gestures = punctual.handle(frame)
    given.punctual += gestures
    given.late += late.handle(frame)
    check(gestures, of: frame)
    settle()
  }

  private mutating func due(until time: Int64) {
    while isSane, let due = punctual.nextDeadline, due <= time { given.punctual += punctual.advance(to: due) }
    given.punctual += punctual.advance(to: time)
    demand(punctual.nextDeadline.map { $0 > time } ?? true, "what was due has come")
  }

  private func check(_ gestures: [Gesture], of frame: Frame) {
    demand(gestures.count <= 4 * frame.events.count + 64, "a frame gives no more gestures than it has events")
    for gesture in gestures {
      demand(gesture.fingers <= 5 && gesture.fingers >= 0, "no more fingers than a hand has")
      demand((gesture.isOn != nil) == (gesture.kind == .hold), "a hold begins or ends")
      if let place = gesture.position {
        demand((0...1).contains(place.x) && (0...1).contains(place.y), "a place is on the surface")
      }
      if isSane { demand(gesture.time <= frame.time, "nothing was done later than now") }
      guard frame.isResync, isSane else { continue }
      let isOver = gesture.time < frame.time || gesture.isOn == false
      demand(isOver || hasChords && gesture.kind == .press, "nothing is made of what nobody saw")
    }
  }

  /// When the program came to look makes no difference.
  private mutating func settle() {
    if isSane, given.late.count >= given.punctual.count {
      demand(given.late == given.punctual, "\(given.late) was recognised late, and \(given.punctual) in time")
      given = ([], [])
    }
    if !isSane || given.punctual.count > 100 { given = ([], []) }
  }
}

// MARK: Bytes

private struct Input {
  struct Record {
    let type: UInt8
    let wait: UInt8
    let code: UInt16
    let value: Int32
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var flags: UInt16 = 1

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next byte; zeros where there are none any more.
  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func flag() -> Bool {
    if flags == 1 { flags = UInt16(byte()) | 0x100 }
    defer { flags >>= 1 }
    return flags & 1 != 0
  }

  mutating func number() -> Int32 {
    (0..<4).reduce(0) { number, place in number | Int32(bitPattern: UInt32(byte()) << UInt32(8 * place)) }
  }

  mutating func record() -> Record? {
    guard position + 8 <= bytes.count else { return nil }
    let (type, wait) = (byte(), byte())
    return Record(type: type, wait: wait, code: UInt16(byte()) | UInt16(byte()) << 8, value: number())
  }
}
