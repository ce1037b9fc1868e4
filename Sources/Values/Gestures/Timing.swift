/// The times and distances that distinguish gestures, with the reason for each default.
///
/// All times are nanoseconds.
public struct Timing: Equatable, Sendable {
  /// A distance on a touch surface: in millimetres if the surface's size is known, else a fraction of the surface's
  /// shorter side.
  public struct Length: Equatable, Sendable {
    public var fraction: Double
    /// The length in millimetres; nil if the fraction applies to every surface.
    public var millimetres: Double?

    public init(fraction: Double, millimetres: Double? = nil) {
      self.fraction = fraction
      self.millimetres = millimetres
    }
  }

  /// The treatment of a tap or press that may still become a longer bound gesture.
  public enum Mode: String, CaseIterable, Sendable {
    /// Emitted once no longer gesture can follow.
    case wait
    /// Emitted at once; a longer gesture takes it back.
    case eager
  }

  /// When a tap or press is emitted. By default no gesture is emitted that may have to be taken back.
  public var mode = Mode.wait

  // MARK: Again and again

  /// The longest time from the end of a tap, or from a press, to the next one in a double-tap or double-press. GTK and
  /// koreader's users also take 0.4 s, Android and Flutter 0.3 s. Deliberate pauses were measured with 0.09 to 0.14 s,
  /// a slow one with 0.44 s.
  public static let pause: Int64 = 400_000_000

  /// The pauses that are set, by the kind of the row that contains them.
  private var pauses: [Gesture.Kind: Int64] = [:]

  /// The longest pause before the last tap or press of a row, and before each earlier one with which no shorter bound
  /// row ends. For a triple-tap: before the third tap, and before the second one if no double-tap is bound.
  public func pause(before kind: Gesture.Kind) -> Int64 { pauses[kind] ?? Self.pause }

  mutating func setPause(before kind: Gesture.Kind, to time: Int64) { pauses[kind] = time == Self.pause ? nil : time }

  /// The largest distance from the first tap to the next one. Android allows 100 dp, Flutter 100 px: both are 16 mm.
  public var doubleTapSlop = Length(fraction: 0.16, millimetres: 16)

  /// The time after which a touch or a press is a long press and no longer a tap, if a long press is bound. GTK,
  /// Flutter, Chromium and koreader agree on half a second; taps that people make while counting last 24 to 110 ms,
  /// which leaves room for a slow hand. The second tap of a double-tap is shorter as well.
  public var longPress: Int64 = 500_000_000

  /// The time after which a contact is a resting hand and no longer a tap, if no long press is bound. Old hands and
  /// gloves were observed to hold a tap for 1.5 s.
  public var longestTap: Int64 = 3_000_000_000

  /// The time within which fingers of one hand land, and lift. They were observed to do so within 30 ms, and libinput
  /// waits 100 ms for further fingers.
  public var stagger: Int64 = 150_000_000

  /// The time within which all keys of a chord go down. keyd uses 50 ms, xremap 30 ms.
  public var chord: Int64 = 50_000_000

  // MARK: Noise of devices and hands

  /// The longest time for which a panel loses a finger. A landing within this time, where the last movement would have
  /// led, is the same finger, which never lifted. Panels are known that lose a resting finger for 30 ms
  /// (raspberrypi/linux#4749) and a moving one for 20 to 35 ms. A hand needs longer: the shortest pause between fast
  /// taps of one finger was measured as 125 ms, and ten taps a second leave 50 ms. 0 switches this bridging off.
  public var touchDropout: Int64 = 48_000_000

  /// The largest distance from the expected position at which a landing is the lost finger; doubled for a moving
  /// finger. Adjacent fingers are 16 mm apart, and land within 2 mm of their aim. The fraction of the longer side is
  /// 11.5 mm on a panel of 65 inches. On a panel of 5 inches whose size is unknown, the fraction is 0.9 mm (0.5 mm if
  /// the shape is also unknown). A finger that reappears farther away becomes another tap, and so does a finger that is
  /// lost within the first 60 ms of a swipe and has more than doubled its speed since.
  public var dropoutRadius = Length(fraction: 0.008, millimetres: 5)

  /// The time after an accepted edge of a key in which further edges are the switch's bouncing. Makers of switches
  /// state 5 ms, and libinput uses 12 ms for events that it calls spurious; presses at 40 a second pass. 0 switches
  /// debouncing off.
  public var bounce: Int64 = 12_000_000

  /// The time after a bound gesture in which no gesture can begin on the same device. Off by default, because it loses
  /// counts; for people whose hands touch unintentionally (koreader#10265).
  public var refractory: Int64 = 0

  // MARK: Distances on a surface

  /// The time after its landing in which a contact's position is not trusted: some surfaces need several reports to
  /// measure it (a glide pad was observed to be off by a ninth of its height, and back, within 69 ms). No hand moves
  /// away and back in that time.
  public var settling: Int64 = 80_000_000

  /// The largest distance of a tap's lift from its landing, towards a side with a bound swipe. Flutter allows 2.9 mm
  /// and koreader 5.6 mm; 5 % is 3 mm on the short side of a telephone. To all other sides a tap may slip as far as a
  /// swipe would begin.
  public var tapSlop = Length(fraction: 0.05, millimetres: 5)

  /// The largest distance of a long press from its landing, at its lift or when it becomes due. Less than for a tap,
  /// because a person who holds on holds still; a hovering finger drifts further.
  public var longPressSlop = Length(fraction: 0.025, millimetres: 2.5)

  /// The largest distance that a tap may have from its landing at any time before its lift, towards a side with a bound
  /// swipe. More than `tapSlop`, so that a finger at the limit of `tapSlop` does not exceed this limit too.
  public var maxExcursion = Length(fraction: 0.075, millimetres: 8)

  /// The shortest length of a swipe. lisgd uses 125 pixels, about a tenth of a panel; touchegg a sixth.
  public var swipe = Length(fraction: 0.10, millimetres: 12)

  /// The lowest speed of a swipe, as a length per second. There is no limit on duration alone: an unhurried stroke
  /// across the screen takes 1.3 s. The limit only refuses a resting finger that drifts.
  public var swipePerSecond = Length(fraction: 0.05, millimetres: 6)

  /// The lowest ratio of the distance between a swipe's ends to its path: a stroke that returns is no swipe. The arc of
  /// a natural stroke leaves more than 0.95; returning over a sixth of the path leaves 0.71.
  public var straightness = 0.75

  /// The largest part of a swipe across its direction: 0.5 is 27° to either side. lisgd allows 15°, Chromium 20°;
  /// diagonals have no gesture here, so more can be allowed. On a surface of unknown shape the limit is 16/9 of this
  /// value.
  public var maxDeviation = 0.5

  /// The smallest part of the longest finger's length that every other finger of a swipe must have. Fingers of one hand
  /// land and lift staggered and were observed to move at least 0.6 of that length. A resting finger does not move, and
  /// a finger of a pinch moves the other way.
  public var minFingerRatio = 0.33

  /// The smallest movement that adds to a path; smaller ones are noise of the sensor.
  public var hysteresis = Length(fraction: 0.02, millimetres: 2)

  public static let standard = Timing()

  /// The defaults for a device on a bus (`BUS_…` of the kernel). A Bluetooth device's firmware removes the bouncing
  /// before it sends a report, and a delayed radio link delivers two real presses within 3 ms: such a bus has no
  /// debounce time.
  public static func standard(onBus bus: UInt16) -> Timing {
    var timing = standard
    if bus == bluetooth { timing.bounce = 0 }
    return timing
  }

  /// BUS_BLUETOOTH.
  static let bluetooth: UInt16 = 5

  public init() {}
}
