/// One touch, judged as a whole: it begins when the first finger lands and ends when the last one lifts, because
/// fingers of one hand neither land nor lift together.
enum Touch: Equatable, Sendable {
  /// Nobody touches the surface.
  case idle
  /// One finger landed and no other one has joined it yet.
  case oneFinger(landed: Gesture.Position)
  /// Several fingers are or were down in this touch: `down` of them now, `most` at once.
  case severalFingers(down: Int, most: Int)
  /// What the fingers did is not known in full; nothing may be made of it until all of them have lifted.
  case spoilt(down: Int)

  //  state            finger lands            finger lifts             spoil
  //  idle             oneFinger               -                        -
  //  oneFinger        severalFingers(2, 2)    idle: judged             spoilt(1)
  //  severalFingers   more down, more at most idle at the last: nothing spoilt(down)
  //  spoilt           one more down           idle at the last: nothing -

  mutating func land(at place: Gesture.Position) {
    switch self {
    case .idle: self = .oneFinger(landed: place)
    case .oneFinger: self = .severalFingers(down: 2, most: 2)
    case .severalFingers(let down, let most): self = .severalFingers(down: down + 1, most: max(most, down + 1))
    case .spoilt(let down): self = .spoilt(down: down + 1)
    }
  }

  /// A finger lifted. Returns where the touch began if it was that of one finger and can now be judged by its stroke.
  mutating func lift() -> Gesture.Position? {
    switch self {
    case .idle: return nil
    case .oneFinger(let landed):
      self = .idle
      return landed
    case .severalFingers(let down, let most):
      self = down > 1 ? .severalFingers(down: down - 1, most: most) : .idle
    case .spoilt(let down):
      self = down > 1 ? .spoilt(down: down - 1) : .idle
    }
    return nil
  }

  /// Takes the touch out of judgement, with as many fingers down as there are now.
  mutating func spoil(down: Int) { self = down > 0 ? .spoilt(down: down) : .idle }
}
