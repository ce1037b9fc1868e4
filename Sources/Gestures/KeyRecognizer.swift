/// Recognises what is done with keys, buttons and pedals: presses, which count on the way down.
struct KeyRecognizer: Equatable, Sendable {
  /// The keys that are down as far as the device has said.
  private var held: Set<UInt16> = []

  /// Takes one frame in; a key may be pressed and released any number of times within it.
  mutating func handle(_ frame: Frame, into gestures: inout [Gesture]) {
    for event in frame.events where event.type == EventCode.key && !EventCode.isTouchState(event.code) {
      switch event.value {
      case 0: held.remove(event.code)
      case 1:
        // Down already, or down before anybody looked: nobody pressed it just now.
        guard held.insert(event.code).inserted, !frame.isResync else { continue }
        gestures.append(Gesture(kind: .press, time: frame.time, key: event.code))
      default: break  // 2 is the kernel's autorepeat
      }
    }
  }

  /// Leaves nothing pressed.
  mutating func cancel() { held.removeAll() }
}
