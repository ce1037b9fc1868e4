/// The times and distances by which gestures are told apart, with the reason for each default.
///
/// All times are nanoseconds.
public struct Timing: Equatable, Sendable {
  /// A distance on a touch surface: millimetres where its size is known, else a fraction of its shorter side.
  public struct Length: Equatable, Sendable {
    public var fraction: Double
    /// Nil where the fraction is meant on every surface.
    public var millimetres: Double?

    public init(fraction: Double, millimetres: Double? = nil) {
      self.fraction = fraction
      self.millimetres = millimetres
    }
  }

  /// How a tap or press is handled while it may still grow into a longer bound gesture.
  public enum Mode: String, CaseIterable, Sendable {
    /// Emitted once no longer gesture can follow.
    case wait
    /// Emitted at once; a longer gesture takes it back.
    case eager
  }

  /// The default emits nothing that may have to be taken back.
  public var mode = Mode.wait

  // MARK: Again and again

  /// The longest time from one tap's end to the next one's beginning for both to be a double-tap. GTK and koreader's
  /// users take 0.4 s too, Android and Flutter 0.3 s. Deliberate ones were measured with 0.09 to 0.14 s, a slow one
  /// with 0.44 s.
  public var doubleTap: Int64 = 400_000_000

  /// The same from the second tap to the third, and from the first to the second where only a triple-tap is bound.
  public var tripleTap: Int64 = 400_000_000

  /// As `doubleTap`, for keys.
  public var doublePress: Int64 = 400_000_000

  /// As `tripleTap`, for keys.
  public var triplePress: Int64 = 400_000_000

  /// How far from the first tap the next one may be. Android allows 100 dp, Flutter 100 px: both are 16 mm.
  public var doubleTapSlop = Length(fraction: 0.16, millimetres: 16)

  /// Where a long press is bound, a touch or a press that lasts this long is one, and no tap any more. Half a second is
  /// what GTK, Flutter, Chromium and koreader agree on; taps that people make while counting last 24 to 110 ms, so a slow
  /// hand has room. The second tap of a double-tap is shorter as well.
  public var longPress: Int64 = 500_000_000

  /// Where no long press is bound, a contact that lasts longer is no tap but a hand that rests. Old hands and gloves were
  /// seen to hold a tap for 1.5 s.
  public var longestTap: Int64 = 3_000_000_000

  /// Fingers of one hand land, and lift, within this time of each other. They were seen to do so within 30 ms, and
  /// libinput waits 100 ms for further fingers.
  public var stagger: Int64 = 150_000_000

  /// Within this time of the first one, all keys of a chord go down. keyd takes 50 ms, xremap 30 ms.
  public var chord: Int64 = 50_000_000

  // MARK: What is not a person's doing

  /// A finger that lifts and lands again within this time, where its last movement would have taken it, never lifted.
  /// Panels are known that lose a resting finger for 30 ms (raspberrypi/linux#4749) and a moving one for 20 to 35 ms. A
  /// hand needs longer: the shortest pause between fast taps of one finger was measured as 125 ms, and ten taps a second
  /// leave 50 ms. 0 switches it off.
  public var touchDropout: Int64 = 48_000_000

  /// How far from there a finger may land and still be the one that was lost; twice as far while it moved. Adjacent fingers
  /// are 16 mm apart, and land within 2 mm of where they mean to: the fraction, of the longer side, is 11.5 mm on a panel of
  /// 65 inches. On one of 5 inches of unknown size it is 0.9 mm (0.5 mm if its shape is unknown, too); a finger that is
  /// found again farther away is taken for another tap. So is one that is lost within the first 60 ms of a swipe and has
  /// more than doubled its speed since.
  public var dropoutRadius = Length(fraction: 0.008, millimetres: 5)

  /// For so long after an edge of a key that was taken for true, further edges of it are the switch's bouncing. Makers
  /// of switches state 5 ms and libinput takes 12 ms for what it calls spurious; presses at 40 a second pass. 0 switches
  /// it off.
  public var bounce: Int64 = 12_000_000

  /// For so long after a gesture that is bound, nothing that begins on the same device is a gesture. Off: it loses
  /// counts, and is for those whose hands touch without wanting to (koreader#10265).
  public var refractory: Int64 = 0

  // MARK: Ways over a surface

  /// For so long after it landed, a contact may be reported anywhere: some surfaces need several reports until a
  /// finger's place is right (a glide pad was seen to be a ninth of its height out, and back, within 69 ms). No hand
  /// goes and comes back in that time.
  public var settling: Int64 = 80_000_000

  /// How far from its landing a tap may lift towards a side to which a swipe is bound. Flutter allows 2.9 mm and koreader
  /// 5.6 mm; 5 % is 3 mm on the short side of a telephone. To all other sides a tap may slip as far as a swipe would begin.
  public var tapSlop = Length(fraction: 0.05, millimetres: 5)

  /// How far from its landing a long press may lift, or be when its time has come. Less than a tap, since a person who
  /// holds on holds still; a hovering finger drifts further.
  public var longPressSlop = Length(fraction: 0.025, millimetres: 2.5)

  /// How far a tap may stray in between, towards a side to which a swipe is bound. More than `tapSlop`, so that a finger
  /// at the edge of one is not both.
  public var maxExcursion = Length(fraction: 0.075, millimetres: 8)

  /// How far a swipe goes at least. lisgd takes 125 pixels, about a tenth of a panel; touchegg a sixth.
  public var swipe = Length(fraction: 0.10, millimetres: 12)

  /// How far a swipe goes at least in each second that it lasts. There is no limit on duration alone: an unhurried
  /// stroke across the screen takes 1.3 s. This only refuses a resting finger that drifts.
  public var swipePerSecond = Length(fraction: 0.05, millimetres: 6)

  /// The part of the way travelled that must remain between the ends: a stroke that comes back is no swipe. A natural
  /// stroke's arc leaves more than 0.95; going back over a sixth of the way leaves 0.71.
  public var straightness = 0.75

  /// How much of a swipe's travel may be across its direction: 0.5 is 27° to either side. lisgd allows 15°, Chromium
  /// 20°; nothing here is bound to a diagonal, so more can be forgiven. On a surface of unknown shape it is 16/9 of this.
  public var maxDeviation = 0.5

  /// The least part of the longest finger's travel that every other finger of a swipe makes. Fingers of one hand land
  /// and lift staggered and were seen to go 0.6 of it; one that rests goes nowhere, one of a pinch the other way.
  public var minFingerRatio = 0.33

  /// Movement below this is the sensor's noise and adds nothing to the way travelled.
  public var hysteresis = Length(fraction: 0.02, millimetres: 2)

  /// The defaults.
  public static let standard = Timing()

  /// The defaults for a device on a bus (`BUS_…` of the kernel). A Bluetooth device's own firmware removes the bouncing
  /// before it sends a report, and a delayed radio link delivers two real presses within 3 ms: no debounce time there.
  public static func standard(onBus bus: UInt16) -> Timing {
    var timing = standard
    if bus == 5 { timing.bounce = 0 }
    return timing
  }

  public init() {}
}
