/// Recognises what fingers do on one touch surface: taps and swipes.
struct TouchRecognizer: Equatable, Sendable {
  private let surface: TouchSurface
  private let limits: TouchLimits
  private var table: ContactTable
  private var touch = Touch.idle

  init(_ surface: TouchSurface, timing: Timing) {
    self.surface = surface
    limits = TouchLimits(timing, on: surface)
    table = ContactTable(surface.reporting)
  }

  /// Takes one frame in. At most one touch can end within a frame.
  mutating func handle(_ frame: Frame) -> Gesture? {
    for event in frame.events { table.take(event) }
    table.settle()
    defer { table.finish() }
    if frame.isResync {
      adopt()
      return nil
    }
    // Fingers that lift come first: where one lifts and another lands in the same frame, two people or two thumbs
    // take turns, and each of them tapped.
    let gesture = liftFingers(at: frame.time)
    moveAndLandFingers(at: frame.time)
    return gesture
  }

  /// Forgets the touch in progress and every contact.
  mutating func cancel() {
    table.clear()
    adopt()
  }

  private mutating func liftFingers(at time: Int64) -> Gesture? {
    var gesture: Gesture?
    for index in Bits(table.changed) {
      guard var stroke = table.contacts[index].stroke else { continue }
      guard table.contacts[index].isReplaced || !table.isDown(index) else { continue }
      table.contacts[index].stroke = nil
      stroke.rest(until: time, limits: limits)
      // What turns out to be a palm was no finger before either; the kernel gives it a new id along with the tool.
      let isPalm = table.contacts[index].isPalm
      guard let landed = touch.lift(), !isPalm, let kind = limits.verdict(on: stroke, lifted: time) else { continue }
      gesture = Gesture(kind: kind, time: time, fingers: 1, position: landed)
    }
    return gesture
  }

  private mutating func moveAndLandFingers(at time: Int64) {
    for index in Bits(table.changed) {
      table.contacts[index].isReplaced = false
      guard table.isDown(index) else { continue }
      if let place = table.contacts[index].follow(at: time, on: surface, limits: limits) { touch.land(at: place) }
    }
  }

  /// Takes the contacts as they stand, without judging how they came to be: the touch they belong to is spoilt.
  private mutating func adopt() {
    var down = 0
    for index in table.contacts.indices {
      table.contacts[index].isReplaced = false
      let isDown = table.isDown(index)
      table.contacts[index].stroke = isDown ? Stroke(from: .init(x: 0, y: 0), at: 0) : nil
      if isDown { down += 1 }
    }
    touch.spoil(down: down)
  }
}

/// The places of the bits that are set in a word, lowest first.
private struct Bits: Sequence, IteratorProtocol {
  private var word: UInt64

  init(_ word: UInt64) { self.word = word }

  mutating func next() -> Int? {
    guard word != 0 else { return nil }
    defer { word &= word - 1 }
    return word.trailingZeroBitCount
  }
}
