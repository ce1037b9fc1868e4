/// One press of a key, from going down until it is let go.
struct KeyPress: Sendable {
  enum Phase: Equatable {
    /// Others may join it to a chord; nothing is made of it until this time.
    case joining(until: Int64)
    /// It was given, or held back, as a press. At this time it will be a long one, if that is wished for.
    case open(isGiven: Bool, long: Int64)
    /// It is a press whatever comes.
    case made
    /// It was part of a chord or came too soon, and nothing more is made of it.
    case used
    /// It was given as a long press.
    case long
  }

  //  phase     the chord is there   nobody joins in time   let go                 the time of a long press has come
  //  -         used                 open or made           -                      -
  //  joining   used                 open or made           the same, then below   -
  //  open      -                    -                      a press                long: long press
  //  made      -                    -                      -                      -
  //  used      -                    -                      -                      -
  //  long      -                    -                      -                      -

  let key: Gesture.PressedKey
  let time: Int64
  let spot: KeySpot
  var phase = Phase.made
  /// Whether it was given as the beginning of a hold.
  var isHeld = false

  func gesture(_ kind: Gesture.Kind, at time: Int64? = nil, isOn: Bool? = nil, takesBack: [Gesture] = []) -> Gesture {
    Gesture(
      kind: kind, time: time ?? self.time, key: key.code, scan: key.scan, isOn: isOn, takesBack: takesBack)
  }

  /// When something is due if nothing happens before.
  var deadline: Int64? {
    switch phase {
    case .joining(let time), .open(_, let time): time
    case .made, .used, .long: nil
    }
  }
}
