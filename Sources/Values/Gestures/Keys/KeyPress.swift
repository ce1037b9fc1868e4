/// One press of a key, from the press edge to the release edge.
struct KeyPress: Sendable {
  enum Phase: Equatable {
    /// A part of a chord may follow until this time; nothing is emitted before.
    case joining(until: Int64)
    /// Emitted or held back as a press. At time `long` the press becomes a long press, if a long press is bound.
    case open(isEmitted: Bool, long: Int64)
    /// Emitted as a press. Nothing longer can follow.
    case made
    /// Part of a chord, or within the refractory time: nothing more is emitted.
    case used
    /// Emitted as a long press.
    case long
  }

  // The next phase, by the present phase and the event (“-”: no change):
  //  phase     chord complete   no key joins in time   release                       time of a long press
  //  (none)    used             open or made           -                             -
  //  joining   used             open or made           open or made, then released   -
  //  open      -                -                      a press is emitted            long
  //  other     -                -                      -                             -

  let key: Gesture.PressedKey
  let time: Int64
  let bindings: KeyBindings
  var phase = Phase.made
  /// Whether the beginning of a hold was emitted.
  var isHeld = false

  func gesture(_ kind: Gesture.Kind, at time: Int64? = nil, isOn: Bool? = nil, takesBack: [Gesture] = []) -> Gesture {
    Gesture(
      kind: kind, time: time ?? self.time, key: key.code, scan: key.scan, isOn: isOn, takesBack: takesBack)
  }

  /// The time of the next change of phase if no event comes before; nil for none.
  var deadline: Int64? {
    switch phase {
    case .joining(let time), .open(_, let time): time
    case .made, .used, .long: nil
    }
  }
}
