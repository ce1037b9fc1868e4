/// The times and distances by which gestures are told apart, with the reason for each default.
///
/// All times are nanoseconds.
public struct Timing: Equatable, Sendable {
  /// A distance on a touch surface: millimetres where the surface states a believable size, else a fraction of the
  /// axis, which is the only unit that every surface has.
  public struct Length: Equatable, Sendable {
    public var fraction: Double
    public var millimetres: Double

    public init(fraction: Double, millimetres: Double) {
      self.fraction = fraction
      self.millimetres = millimetres
    }
  }

  /// A touch that lasts this long is a long press and no tap any more. Half a second is what GTK, Flutter, Chromium and
  /// koreader agree on; taps that people make while counting last 24 to 110 ms, so a slow hand has ample room.
  public var longPress: Int64 = 500_000_000

  /// For so long after it landed, a contact may be reported anywhere: some surfaces need several reports until a
  /// finger's place is right (a glide pad was seen to be a ninth of its height out, and back, within 69 ms). No hand
  /// goes and comes back in that time.
  public var settling: Int64 = 80_000_000

  /// How far from its landing a tap may lift. Flutter allows 2.9 mm and koreader 5.6 mm; 5 % is 3 mm on the short side
  /// of a telephone.
  public var tap = Length(fraction: 0.05, millimetres: 5)

  /// How far a tap may stray in between. More than `tap`, so that a finger at the edge of one is not both.
  public var stray = Length(fraction: 0.075, millimetres: 8)

  /// How far a swipe goes at least. lisgd takes 125 pixels, about a tenth of a panel; touchegg a sixth.
  public var swipe = Length(fraction: 0.10, millimetres: 12)

  /// How far a swipe goes at least in each second that it lasts. There is no limit on duration alone: an unhurried
  /// stroke across the screen takes 1.3 s. This only refuses a resting finger that drifts.
  public var swipePerSecond = Length(fraction: 0.05, millimetres: 6)

  /// The part of the way travelled that must remain between the ends: a stroke that comes back is no swipe. A natural
  /// stroke's arc leaves more than 0.95; going back over a sixth of the way leaves 0.71.
  public var straightness = 0.75

  /// How much of a swipe's travel may be across its direction: 0.5 is 27° to either side. lisgd allows 15°, Chromium
  /// 20°; nothing here is bound to a diagonal, so more can be forgiven.
  public var slant = 0.5

  /// Movement below this is the sensor's noise and adds nothing to the way travelled.
  public var grain = Length(fraction: 0.01, millimetres: 1)

  /// The defaults.
  public static let standard = Timing()

  public init() {}
}
