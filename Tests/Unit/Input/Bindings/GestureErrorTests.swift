import Bindings
import Gestures
import InputKit
import Testing

/// The gestures that can have a mode, as a sentence lists them.
let gesturesWithMode = Gesture.Kind.allCases.filter(Timing.hasMode).map(\.rawValue).joined(separator: ", ")

/// What the person is told who wrote something wrong about gestures, zones or timing.
@Suite struct GestureErrorTests {
  private static let tap = "gesture = \"tap\"\ndo = \"add\"\n"
  private static let zoned = "[zones]\nmiddle = { left = 0.3, right = 0.7 }\n[[bind]]\nzone = \"left\"\n" + tap

  static let wrong: [(text: String, complaint: String)] = [
    // Timing.
    ("[timing]\ndouble-tap = 5\n", "2:14: double-tap is 5, but must be 0.1 to 2 seconds"),
    ("[timing]\ndouble-tap = 400\n", "2:14: double-tap is 400, but must be 0.1 to 2 seconds: did you mean 0.4?"),
    ("[timing]\ndouble-tap = -0.4\n", "2:14: double-tap is -0.4, but must be 0.1 to 2 seconds"),
    ("[timing]\nlong-press = nan\n", "2:14: long-press must be a finite number, and this is nan"),
    ("[timing]\nlong-press = -inf\n", "2:14: long-press must be a finite number, and this is -inf"),
    ("[timing]\nlong-press = false\n", "2:14: long-press must be a number, and this is true or false"),
    ("[timing]\nlong-press = '1 s'\n", "2:14: long-press must be a number, and this is a text"),
    ("[timing]\nlong-pres = 1\n", #"2:1: [timing] has no "long-pres": did you mean "long-press"?"#),
    ("[timing]\nswipe-length = 1\n", "2:16: swipe-length is 1, but must be 0.02 to 0.9 of the screen"),
    ("[timing]\nmode = 'egaer'\n", #"2:8: "egaer" is no mode: did you mean "eager"?"#),
    ("timing = 5\n", "1:10: timing must be a table, and this is a whole number: write [timing]"),
    ("[[device]]\nname = 'x'\nchord = 1\n", "3:9: chord is 1, but must be 0.01 to 0.3 seconds"),
    ("[[bind]]\ndouble-tap = 0.3\n" + tap, "2:1: double-tap does not apply to a tap"),
    (
      "[[bind]]\nmode = 'eager'\n" + tap,
      "2:1: \"mode\" does not belong to tap: it belongs to \(gesturesWithMode)"
    ),
    // Zones.
    ("[zones]\nbar = { left = 0.5, right = 1.5 }\n", "2:29: right is outside the screen, which reaches from 0 to 1"),
    ("[zones]\nbar = { top = 50 }\n", "2:15: top is outside the screen, which reaches from 0 to 1: did you mean 0.5?"),
    (
      "[zones]\nbar = { left = 0.5, right = 0.5 }\n",
      "2:7: the zone bar is empty: left is less than right, and top than bottom"
    ),
    ("[zones]\nbar = { lfet = 0.5 }\n", #"2:9: a zone has no "lfet": did you mean "left"?"#),
    ("[zones]\nleft = { top = 0.5 }\n", "2:1: left is a half of the screen already"),
    ("[zones]\nbar = 5\n", "2:7: a zone must be a table, and this is a whole number: bar = { left = 0.0"),
    ("[[bind]]\nzone = 'lfet'\n" + tap, #"2:8: there is no zone "lfet": did you mean "left"?"#),
    ("[[bind]]\nzone = 'bar'\n" + tap, "2:8: there is no zone \"bar\": there are left, right"),
    ("[[bind]]\ncell = [1, 1]\n" + tap, "2:1: a cell needs a grid: grid = [3, 2]"),
    (
      "grid = [3, 2]\n[[bind]]\ncell = [4, 1]\n" + tap,
      "3:8: cell is [4, 1], but must be from [1, 1] to [3, 2]: column and row"
    ),
    ("grid = [0, 2]\n", "1:8: grid is [0, 2], but must be from [1, 1] to [32, 32]: columns and rows"),
    ("grid = 3\n", "1:8: grid must be a list of two whole numbers: columns and rows"),
    ("[[bind]]\ngrid = [2, 2]\n" + tap, "2:1: a grid needs a cell: cell"),
    ("[[bind]]\nzone = 'left'\ncell = [1, 1]\n" + tap, "3:1: zone and cell cannot both be given"),
    ("[[bind]]\nfingers = 6\n" + tap, "2:11: fingers must be a whole number from 1 to 5"),
    (
      "[[bind]]\nzone = 'left'\n" + tap + "[[bind]]\ngrid = [2, 1]\ncell = [1, 1]\n" + tap,
      "5:1: tap in zone 1,1 is bound already on line 1"
    ),
    (
      zoned + "[[bind]]\nzone = 'middle'\n" + tap,
      "7:1: tap is bound in zone middle and, on line 3, in zone left, which shares a part of the screen"
    ),
    (
      "[[bind]]\nfingers = 2\n" + tap + "[[bind]]\nfingers = 2\n" + tap,
      "5:1: tap with 2 fingers is bound already on line 1"
    ),
    // Keys.
    (bind("press", "fingers = 2"), "3:1: a press has no fingers: only what is done on a touch surface has"),
    (bind("wheel-up", "key = 'KEY_A'"), "3:1: a wheel-up has no key: only what is done with keys has"),
    (
      bind("long-press", "key = 'KEY_A'\nzone = 'left'"),
      "4:1: key and zone cannot both be given: a key has no place on a screen"
    ),
    (bind("chord", "keys = ['KEY_A']"), "1:1: a chord needs two keys or more: keys ="),
    (bind("press", "scan = 'xyz'"), "3:8: scan must be a number such as 0x7004b, as monitor shows it"),
    (
      bind("press", "scan = 5") + bind("press", "scan = [6, 5]"),
      "5:1: press of scan code 0x5 is bound already on line 1"
    ),
    (
      bind("chord", "keys = ['KEY_A', 'KEY_B']") + bind("chord", "keys = ['KEY_B', 'KEY_A']"),
      "5:1: chord is bound already on line 1"
    ),
    (bind("press", "key = 'HAT_UPP'"), #"3:7: "HAT_UPP" is not the name of a key: did you mean "HAT_UP"?"#),
    ("[[bind]]\nthen = 'add'\n" + tap, "2:1: a tap has no then: only a hold has an end"),
    // Devices.
    ("[[device]]\nname = 'x'\nignore = true\ngrab = true\n", "4:1: a device that is ignored has no \"grab\""),
    ("[[device]]\nname = 'x'\nrotate = 45\n", "3:10: rotate can be 90, 180 or 270, clockwise, and 0"),
    ("[[device]]\nname = 'x'\ncalibration = '1 0 0'\n", "3:15: \"1 0 0\" is no calibration: it has six numbers"),
    (
      "[[device]]\nname = 'x'\ncalibration = '1 0 0 0 1 0'\nrotate = 90\n",
      "4:1: calibration and rotate cannot both be given"
    ),
    ("[[device]]\nudev = 'x'\n", "2:8: udev must be a table of properties, and this is a text"),
    // What cannot be taken back.
    (
      bind("tap", does: "select a") + bind("double-tap", "mode = 'eager'"),
      "4:1: an eager double-tap takes back the tap before it, and \"select a\" on line 1 cannot be taken back: "
        + "mode = \"wait\""
    ),
    (
      "[timing]\nmode = 'eager'\n" + bind("press", does: "select a")
        + "[[device]]\nname = 'x'\n[[device.bind]]\ngesture = 'long-press'\nkey = 'KEY_A'\ndo = 'undo'\n",
      "8:1: an eager long-press takes back the press before it, and \"select a\" on line 3"
    ),
  ]

  @Test(arguments: wrong) func `a mistake is named with its place and what was probably meant`(
    text: String, complaint: String
  ) {
    let found = complaints(text)
    #expect(found.contains { $0.hasPrefix("input.toml:\(complaint)") }, "\(found)")
    #expect(found.count == 1, "\(found)")
  }

  static let right = [
    "[timing]\ntouch-dropout = 0\nbounce = false\nrefractory = 0.4\n",
    zoned + "[[bind]]\nzone = \"middle\"\ngesture = \"swipe-up\"\ndo = \"add\"\n",
    "[[bind]]\n" + tap + "[[bind]]\nzone = \"left\"\n" + tap + "[[bind]]\nfingers = 2\n" + tap,
    "grid = [3, 3]\n" + [1, 2, 3].map { "[[bind]]\ncell = [\($0), 1]\n" + tap }.joined(),
    "[[device]]\nname = \"x\"\ngrid = [2, 1]\n[device.zones]\ntop = { bottom = 0.5 }\n[[device.bind]]\nzone = \"top\"\n"
      + tap,
    "[[bind]]\ngesture = \"tap\"\ndo = \"undo\"\n[[bind]]\ngesture = \"double-tap\"\ndo = \"add\"\n",
    "[[bind]]\ngesture = \"tap\"\nzone = \"left\"\ndo = \"undo\"\n"
      + "[[bind]]\ngesture = \"double-tap\"\nzone = \"right\"\nmode = \"eager\"\ndo = \"add\"\n",
  ]

  @Test(arguments: right) func `what is right is taken as it is`(text: String) { #expect(complaints(text) == []) }

  @Test(arguments: [("1.4", nil), ("-3", nil), ("40", "did you mean 0.4?"), ("250", nil)] as [(String, String?)])
  func `a side of a zone that reads as a percentage is guessed to be one`(side: String, hint: String?) {
    let complaint = complaints("[zones]\nbar = { right = \(side) }\n").first ?? ""
    #expect(complaint.hasSuffix(hint.map { ": \($0)" } ?? "reaches from 0 to 1"))
  }
}
