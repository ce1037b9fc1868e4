import Gestures

/// Says what the touches of a hand must give, by the hand's own knowledge of what it does: it never sees an event.
struct ShadowHand {
  struct Finger {
    let landed: (x: Int32, y: Int32)
    let time: Int64
    var at: (x: Int32, y: Int32)

    /// Whether it is on its way, rather than where it landed.
    var hasGone: Bool { max(abs(at.x - landed.x), abs(at.y - landed.y)) > 20 }
  }

  /// The fingers that are down, by slot.
  private(set) var fingers: [Int32: Finger] = [:]
  /// Whether the touch in progress was ever more than one finger that was seen from landing to lifting.
  private var isSpoilt = false

  mutating func land(_ slot: Int32, _ x: Int32, _ y: Int32, at time: Int64) {
    if !fingers.isEmpty { isSpoilt = true }
    fingers[slot] = Finger(landed: (x, y), time: time, at: (x, y))
  }

  mutating func move(_ slot: Int32, _ x: Int32, _ y: Int32) { fingers[slot]?.at = (x, y) }

  /// Nobody saw how the fingers came to be where they are.
  mutating func lookAway() { isSpoilt = !fingers.isEmpty }

  /// A finger is gone, and so is all claim of its touch to be a gesture.
  mutating func vanish(_ slot: Int32) {
    isSpoilt = true
    _ = lift(slot, at: 0)
  }

  /// Lifts a finger and gives what that completes. The hand either stays within 2 % of where it landed or goes at
  /// least 30 % straight in one direction, so that there is no doubt.
  mutating func lift(_ slot: Int32, at time: Int64) -> Gesture.Kind? {
    guard let finger = fingers.removeValue(forKey: slot), fingers.isEmpty else { return nil }
    defer { isSpoilt = false }
    guard !isSpoilt else { return nil }
    let (x, y) = (finger.at.x - finger.landed.x, finger.at.y - finger.landed.y)
    let duration = time - finger.time
    if !finger.hasGone { return duration < 500 ? .tap : nil }
    // 5 % of the axis, which has 1000 steps, in each second.
    guard Int64(max(abs(x), abs(y))) * 20 >= duration else { return nil }
    if abs(x) > abs(y) { return x > 0 ? .swipeRight : .swipeLeft }
    return y > 0 ? .swipeDown : .swipeUp
  }
}
