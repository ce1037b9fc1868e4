/// Something a person did, recognised from what one device reported.
public struct Gesture: Equatable, Sendable {
  /// A place on a touch surface, as fractions of it: (0, 0) is the top left corner, (1, 1) the bottom right one, as the
  /// person sees them.
  public struct Position: Equatable, Sendable {
    public let x: Double
    public let y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// A key that went down, by its code (``KeyCode``) and by what the device itself calls it.
  public struct PressedKey: Equatable, Sendable {
    public let code: UInt16
    public let scan: UInt32?

    public init(code: UInt16, scan: UInt32? = nil) {
      self.code = code
      self.scan = scan
    }
  }

  public let kind: Kind

  /// When it was done, in nanoseconds of `CLOCK_BOOTTIME`: the kernel's stamp of the report that completed it. A tap
  /// that had to wait whether another one follows was done when the finger lifted.
  public let time: Int64

  /// The key that was used (``KeyCode``); nil for what is done with several keys, on a touch surface or with a wheel.
  public let key: UInt16?

  /// What the device itself calls the key (`MSC_SCAN`); nil where it does not say.
  public let scan: UInt32?

  /// The keys of a chord in the order in which they went down; empty for all else.
  public let chord: [PressedKey]

  /// How many fingers took part; 0 for all but a touch surface.
  public let fingers: Int

  /// Where the first finger landed; nil for all but a touch surface.
  public let position: Position?

  /// The name of the smallest zone that somebody has an interest in and that the first finger landed in.
  public let zone: String?

  /// For a hold: whether it begins or ends; nil for all else.
  public let isOn: Bool?

  /// What was given earlier and turns out to have been the beginning of this. Who acts on gestures has to take back
  /// what it did for these, exactly and together with what it does for this one.
  public let takesBack: [Gesture]

  public init(
    kind: Kind, time: Int64, key: UInt16? = nil, scan: UInt32? = nil, chord: [PressedKey] = [], fingers: Int = 0,
    position: Position? = nil, zone: String? = nil, isOn: Bool? = nil, takesBack: [Gesture] = []
  ) {
    self.kind = kind
    self.time = time
    self.key = key
    self.scan = scan
    self.chord = chord
    self.fingers = fingers
    self.position = position
    self.zone = zone
    self.isOn = isOn
    self.takesBack = takesBack
  }

  /// The same place, key and fingers, with another name.
  func renamed(_ kind: Kind, time: Int64? = nil, isOn: Bool? = nil, takesBack: [Gesture] = []) -> Gesture {
    Gesture(
      kind: kind, time: time ?? self.time, key: key, scan: scan, chord: chord, fingers: fingers, position: position,
      zone: zone, isOn: isOn, takesBack: takesBack)
  }
}
