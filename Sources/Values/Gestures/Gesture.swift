/// A gesture of a person, recognised from the reports of one device.
public struct Gesture: Equatable, Sendable {
  /// A position on a touch surface as the person sees it, in fractions of the surface: (0, 0) is the top left corner,
  /// (1, 1) the bottom right corner.
  public struct Position: Equatable, Sendable {
    public let x: Double
    public let y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// A key that went down, by its code (``KeyCode``) and the device's scan code.
  public struct PressedKey: Equatable, Sendable {
    public let code: UInt16
    public let scan: UInt32?

    public init(code: UInt16, scan: UInt32? = nil) {
      self.code = code
      self.scan = scan
    }
  }

  public let kind: Kind

  /// The time of the gesture, in nanoseconds of `CLOCK_BOOTTIME`: the kernel's stamp of the report that completed it.
  /// For a tap that had to wait for a possible second one, the lift of the finger.
  public let time: Int64

  /// The key (``KeyCode``); nil for chords, touches, wheels and shakes.
  public let key: UInt16?

  /// The device's scan code of the key (`MSC_SCAN`); nil if the device reports none.
  public let scan: UInt32?

  /// The keys of a chord in the order in which they went down; empty for other kinds.
  public let chord: [PressedKey]

  /// The number of fingers; 0 for gestures without a touch surface.
  public let fingers: Int

  /// The landing place of the first finger; nil for gestures without a touch surface.
  public let position: Position?

  /// The landing positions of the other fingers, if not all fingers landed in the same zones; else empty.
  public let others: [Position]

  /// The name of the smallest zone of an interest in which all fingers landed.
  public let zone: String?

  /// Whether a hold begins or ends; nil for other kinds.
  public let isOn: Bool?

  /// Gestures already emitted that this one supersedes. The caller must undo the effects of these gestures, and apply
  /// this gesture, in one transaction.
  public let takesBack: [Gesture]

  public init(
    kind: Kind, time: Int64, key: UInt16? = nil, scan: UInt32? = nil, chord: [PressedKey] = [], fingers: Int = 0,
    position: Position? = nil, others: [Position] = [], zone: String? = nil, isOn: Bool? = nil,
    takesBack: [Gesture] = []
  ) {
    self.kind = kind
    self.time = time
    self.key = key
    self.scan = scan
    self.chord = chord
    self.fingers = fingers
    self.position = position
    self.others = others
    self.zone = zone
    self.isOn = isOn
    self.takesBack = takesBack
  }

  /// The same gesture of another kind, with the same place, key and fingers.
  func renamed(_ kind: Kind, time: Int64? = nil, isOn: Bool? = nil, takesBack: [Gesture] = []) -> Gesture {
    Gesture(
      kind: kind, time: time ?? self.time, key: key, scan: scan, chord: chord, fingers: fingers, position: position,
      others: others, zone: zone, isOn: isOn, takesBack: takesBack)
  }
}
