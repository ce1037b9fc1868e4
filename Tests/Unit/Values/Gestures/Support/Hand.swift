import Gestures

extension DeviceDescription {
  func with(_ change: (inout DeviceDescription) -> Void) -> DeviceDescription {
    var copy = self
    change(&copy)
    return copy
  }

  /// A multitouch screen of 1000 by 1000 steps that states no size.
  static func screen(highestSlot: Int32 = 9, range: Int32 = 1000, resolution: Int32 = 0) -> DeviceDescription {
    let axis = Axis(minimum: 0, maximum: range, resolution: resolution)
    return DeviceDescription(
      name: "screen", properties: [1], codes: [1: [0x14a], 3: [0, 1, 0x2f, 0x30, 0x35, 0x36, 0x37, 0x39, 0x3b]],
      axes: [0: axis, 1: axis, 0x2f: Axis(minimum: 0, maximum: highestSlot), 0x30: axis, 0x35: axis, 0x36: axis])
  }

  private static let thousand = Axis(minimum: 0, maximum: 1000)

  /// A panel that knows of one finger only.
  static let singleTouch = DeviceDescription(
    name: "panel", codes: [1: [0x14a], 3: [0, 1]], axes: [0: thousand, 1: thousand])

  /// A touchpad that has places for two contacts, which are the corners of a box, and tells of up to five fingers.
  static let box = DeviceDescription(
    name: "touchpad", properties: [0, 3],
    codes: [1: [0x145, 0x148, 0x14a, 0x14d, 0x14e, 0x14f], 3: [0x2f, 0x35, 0x36]],
    axes: [0x2f: Axis(minimum: 0, maximum: 1), 0x35: thousand, 0x36: thousand])

  /// A gamepad with a cross and a stick.
  static let gamepad = DeviceDescription(
    name: "gamepad", codes: [1: [0x130, 0x131], 3: [0, 1, 0x10, 0x11]],
    axes: [
      0: Axis(minimum: 0, maximum: 65535), 1: Axis(minimum: 0, maximum: 65535),
      0x10: Axis(minimum: -1, maximum: 1), 0x11: Axis(minimum: -1, maximum: 1),
    ])

  /// Every wheel there is.
  static let wheels = DeviceDescription(name: "wheels", codes: [2: [6, 7, 8, 11, 12]])

  /// A ShuttleXpress: five buttons, a jog wheel that reports a counter, a ring that reports how far it is turned.
  static let shuttle = DeviceDescription(
    name: "Contour Design ShuttleXpress", bus: 3, vendor: 0x0b33, product: 0x0020,
    codes: [1: Set(0x104...0x108), 2: [7, 8, 11]])

  /// A panel of protocol A.
  static let listing = DeviceDescription(
    name: "panel", codes: [1: [0x14a], 3: [0x35, 0x36]], axes: [0x35: thousand, 0x36: thousand])

  /// A pedal with all the keys of a keyboard.
  static let pedal = DeviceDescription(name: "pedal", codes: [1: Set(1...255)])
}

/// A virtual hand on a device, with a clock of its own: collects what is recognised.
struct Hand {
  var recognizer: DeviceRecognizer
  /// In milliseconds.
  var now: Int64 = 1000
  var gestures: [Gesture] = []
  /// The time at which each gesture was given, in nanoseconds.
  private(set) var given: [Int64] = []
  /// What was noticed beside gestures.
  var reports: [InputReport] = []
  private var nextId: Int32 = 100
  private let interests: [Interest]

  init(on device: DeviceDescription = .screen(), _ interests: [Interest] = [], timing: Timing = .standard) {
    recognizer = DeviceRecognizer(description: device, interests: interests, timing: timing)
    self.interests = interests
  }

  /// - Parameter bound: gestures in the words of a golden file's `bind`.
  init(on device: DeviceDescription = .screen(), bound first: String, _ others: String...) {
    self.init(on: device, ([first] + others).map { Interest(words: $0) })
  }

  /// What the shipped bindings count: a tap adds one, a swipe down takes one off.
  var count: Int { gestures.net.reduce(0) { $0 + $1.defaultCount } }

  /// How many gestures are bound.
  var counted: Int { gestures.count { gesture in interests.contains { $0.matches(gesture) } } }

  var kinds: [Gesture.Kind] { gestures.map(\.kind) }

  /// What was recognised, in words.
  var words: [String] { gestures.map(\.words) }

  /// What was noticed beside gestures, in sentences.
  var said: [String] { reports.map(\.description) }

  /// How far to the right each gesture was.
  var places: [Double?] { gestures.map(\.position?.x) }

  private mutating func note(_ new: [Gesture], at time: Int64) {
    gestures += new
    given += new.map { _ in time }
    reports += recognizer.reports
  }

  /// The device goes away.
  mutating func cancel() { note(recognizer.cancel(at: now * 1_000_000), at: now * 1_000_000) }

  /// Lets time pass, as it does for a device that reports nothing.
  mutating func wait(_ milliseconds: Int64) {
    now += milliseconds
    while let due = recognizer.nextDeadline, due < now * 1_000_000 { note(recognizer.advance(to: due), at: due) }
    note(recognizer.advance(to: now * 1_000_000), at: now * 1_000_000)
  }

  /// Reports events of type EV_ABS as one frame.
  mutating func report(_ events: [(UInt16, Int32)], isResync: Bool = false) {
    send(events.map { InputEvent(type: 3, code: $0.0, value: $0.1) }, isResync: isResync)
  }

  mutating func send(_ events: [InputEvent], isResync: Bool = false) {
    note(
      recognizer.handle(Frame(time: now * 1_000_000, events: events, isResync: isResync)), at: now * 1_000_000)
  }

  /// The tracking id of a contact that was not there before.
  mutating func newContact() -> InputEvent {
    nextId += 1
    return InputEvent(type: 3, code: 0x39, value: nextId)
  }

  mutating func land(_ slot: Int32 = 0, x: Int32, y: Int32) {
    nextId += 1
    report([(0x2f, slot), (0x39, nextId), (0x35, x), (0x36, y)])
  }

  mutating func move(_ slot: Int32 = 0, x: Int32, y: Int32) { report([(0x2f, slot), (0x35, x), (0x36, y)]) }

  mutating func lift(_ slot: Int32 = 0) { report([(0x2f, slot), (0x39, -1)]) }

  /// Taps, and stays away for longer than a dropout lasts.
  mutating func tap(_ slot: Int32 = 0, x: Int32 = 500, y: Int32 = 500, for milliseconds: Int64 = 90) {
    land(slot, x: x, y: y)
    wait(milliseconds)
    lift(slot)
    wait(60)
  }

  /// Goes through places in a straight line each, eight reports to a line.
  mutating func stroke(_ places: [(x: Int32, y: Int32)], for milliseconds: Int64 = 400) {
    guard var at = places.first else { return }
    land(x: at.x, y: at.y)
    for place in places.dropFirst() {
      for step in 1...8 as ClosedRange<Int32> {
        wait(milliseconds / 8 / Int64(places.count - 1))
        move(x: at.x + (place.x - at.x) * step / 8, y: at.y + (place.y - at.y) * step / 8)
      }
      at = place
    }
    lift()
    wait(60)
  }

  mutating func key(_ code: UInt16, _ value: Int32, isResync: Bool = false) {
    send([InputEvent(type: 1, code: code, value: value)], isResync: isResync)
  }

  /// Several fingers land, go the same way and lift: one move of all after each step of 10 ms.
  ///
  /// - Parameter way: where the fingers are after so many steps, as seen from where they landed.
  mutating func drag(
    _ fingers: [(slot: Int32, x: Int32)], y: Int32 = 500, steps: ClosedRange<Int32>, every interval: Int64 = 10,
    by way: (Int32) -> (x: Int32, y: Int32)
  ) {
    let start = way(steps.lowerBound - 1)
    for (slot, x) in fingers { land(slot, x: x + start.x, y: y + start.y) }
    for step in steps {
      wait(interval)
      for (slot, x) in fingers { move(slot, x: x + way(step).x, y: y + way(step).y) }
    }
    for (slot, _) in fingers { lift(slot) }
  }
}

extension Gesture {
  /// What the gesture counts with the bindings that a touchscreen has by default.
  var defaultCount: Int {
    guard fingers == 1 else { return 0 }
    return kind == .tap ? 1 : kind == .swipeDown ? -1 : 0
  }
}

extension Interest {
  /// What a finger does anywhere, or several or in a zone.
  static func touch(
    _ kind: Gesture.Kind, fingers: Int = 1, zone: Zone? = nil, timing: Timing = .standard
  ) -> Interest {
    Interest(kind, .touch(fingers: fingers, zone: zone), timing: timing)
  }
}

extension Timing {
  static let eager = {
    var timing = Timing.standard
    timing.mode = .eager
    return timing
  }()
}

extension [Interest] {
  /// The bindings that a touchscreen has by default.
  static let defaults = [Interest.touch(.tap), .touch(.swipeDown)]
}
