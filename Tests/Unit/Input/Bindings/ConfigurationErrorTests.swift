import Bindings
import InputKit
import Testing

/// What the person who wrote a configuration is told.
@Suite struct ConfigurationErrorTests {
  static let wrong: [(text: String, complaint: String)] = [
    (bind("swipe-dwon"), #"2:11: "swipe-dwon" is no gesture: did you mean "swipe-down"?"#),
    (
      bind("somersault"),
      "2:11: \"somersault\" is no gesture: gestures are press, release, double-press, triple-press, "
    ),
    (bind("tap", does: "ad people"), #"3:6: "ad" is not an action: did you mean "add"?"#),
    (
      "[[bind]]\ngestrue = 'tap'\ngesture = 'tap'\ndo = 'add'\n",
      #"2:1: [[bind]] has no "gestrue": did you mean "gesture"?"#
    ),
    ("[[binds]]\n", #"1:3: the file has no "binds": did you mean "bind"?"#),
    ("[[bind]]\ndo = 'add'\n", "1:1: [[bind]] has no \"gesture\": gestures are"),
    ("[[bind]]\ngesture = 'tap'\n", #"1:1: [[bind]] has no "do": say what is to be done, such as do = "add""#),
    ("[bind]\n", "1:1: bind can be given many times, so it must be written [[bind]]"),
    ("bind = [1]\n", "1:9: bind must be a table, and this is a whole number: write [[bind]]"),
    ("[[bind]]\ngesture = 5\ndo = 'add'\n", "2:11: gesture must be a text in quotes, and this is a whole number"),
    (bind("press", "key = 'KEY_BB'"), #"3:7: "KEY_BB" is not the name of a key: did you mean "KEY_B"?"#),
    (bind("press", "key = 'volumeup'"), #"3:7: "volumeup" is not the name of a key: did you mean "KEY_VOLUMEUP"?"#),
    (bind("press", "keys = ['KEY_A', 'left']"), #"3:18: "left" is not the name of a key: did you mean "BTN_LEFT"?"#),
    (bind("press", "keys = []"), "3:8: keys is an empty list"),
    (
      bind("press", "key = 'BTN_TOUCH'"),
      "3:7: BTN_TOUCH only says that something touches the surface: bind gesture = \"tap\" instead"
    ),
    (bind("tap", "key = 'KEY_A'"), "3:1: a tap has no key: only what is done with keys has"),
    (bind("press", "key = 'KEY_A'\nkeys = ['KEY_B']"), "4:1: key and keys cannot both be given: use keys alone"),
    (bind("tap") + bind("tap", does: "undo"), "4:1: tap is bound already on line 1"),
    (
      bind("press", "key = 'KEY_A'") + bind("press", "keys = ['KEY_B', 'KEY_A']", does: "undo"),
      "5:1: press of KEY_A is bound already on line 1"
    ),
    (
      "[[device]]\nname = 'x'\n  [[device.bind]]\n  gesture = 'tap'\n  do = 'add'\n"
        + "  [[device.bind]]\n  gesture = 'tap'\n  do = 'undo'\n",
      "6:3: tap is bound already on line 3"
    ),
    (
      "[[device]]\ngrab = true\n",
      "1:1: [[device]] does not say which device is meant: give it a name, id, uniq, phys, label, udev or path"
    ),
    (
      "[[device]]\nbus = 'usb'\n",
      "1:1: [[device]] does not say which device is meant: give it a name, id, uniq, phys, label, udev or path"
    ),
    ("[[device]]\nname = 'x'\nbus = 'ubs'\n", #"3:7: "ubs" is no bus that is known here: did you mean "usb"?"#),
    (
      "[[device]]\nid = 'c45:7403'\n",
      "2:6: \"c45:7403\" is no id: vendor and product have four hexadecimal digits each, as in 0c45:7403"
    ),
    ("[[device]]\nname = ''\n", "2:8: name is empty"),
    ("[[device]]\nname = 'x'\ngrab = 'yes'\n", "3:8: grab must be true or false, and this is a text"),
    ("[[device]]\nname = 'x'\ntitle = 'y'\n", "3:1: [[device]] has no \"title\": it has name, id"),
    ("[[device]]\nname = 'x'\n\n[[device]]\nname = 'x'\n", "4:1: the same device is described already on line 1"),
    ("[[device]]\nname = 'x'\nname = 'y'\n", "3:8: this is not TOML: "),
    ("[[device]\n", "1:10: this is not TOML: "),
    ("x = \u{1}\n", "1:5: this is not TOML: "),
    ("x = “y”\n", "1:5: this is not TOML: “ and ” are not the quotes of TOML"),
  ]

  @Test(arguments: wrong) func `a mistake is named with its place and what was probably meant`(
    text: String, complaint: String
  ) throws {
    let complaints = complaints(text)
    #expect(complaints.count == 1)
    #expect(complaints.first?.hasPrefix("input.toml:\(complaint)") == true, "\(complaints)")
  }

  @Test func `all mistakes are told, in the order of the lines`() {
    let text = """
      colour = "red"

      [[device]]
      nmae = "FootSwitch*"
      id = "0c45:7403"
      grab = 1

        [[device.bind]]
        gesture = "pres"
        key = "KEY_Z"
        do = "add people many"

      [[bind]]
      gesture = 1979-05-27
      do = ["add", 5]
      """
    #expect(
      complaints(text).map { $0.split(separator: ":").prefix(3).joined(separator: ":") } == [
        "input.toml:1:1", "input.toml:4:1", "input.toml:6:8", "input.toml:9:13", "input.toml:10:9",
        "input.toml:11:8", "input.toml:14:11", "input.toml:15:14",
      ])
  }

  @Test func `a file that is too large is not read`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: (1 << 20) + 1)
    #expect(complaints(bytes) == ["input.toml: this is larger than 1 MiB and cannot be a configuration"])
    #expect(complaints(Array(bytes.dropLast())) == [])
  }

  @Test func `bytes that are no text are refused with their place`() {
    let complaints = complaints(Array("[[bind]]\ndo = \"".utf8) + [0xff, 0xfe] + Array("\"\n".utf8))
    #expect(complaints.count == 1)
    #expect(complaints.first?.hasPrefix("input.toml:2:") == true, "\(complaints)")
  }

  /// Nesting that no reader should follow: what comes before, again and again, and after.
  static let deep: [(before: String, part: String, after: String)] = [
    ("", "[", ""), ("[[[", "", "a]]]"), ("a = ", "[", ""), ("a = ", "{ a = ", ""), ("[", "a.", "a]"),
    ("[[", "a.", "a]]"), ("", "a.", "a = 1"), ("", "\"a\" . ", "a = 1"), ("a = { ", "b.", "c = 1 }"),
    ("", "[a.a.a.a]\na.a.a.a = [{ a = 1 }]\n", ""), ("a = ", "{ a.a.a.a.a.a.a.a = [\n", ""),
  ]

  @Test(arguments: deep) func `no depth of nesting does harm`(before: String, part: String, after: String) {
    let text = before + String(repeating: part, count: 100_000 / max(part.utf8.count, 1)) + after
    #expect(!complaints(text).isEmpty)
  }

  @Test func `letters of all scripts may stand in texts and remarks, and in keys of which there are none`() {
    let letters = (0xa0...0x2fff).compactMap(Unicode.Scalar.init).filter { !$0.properties.isWhitespace }
    let text = String(String.UnicodeScalarView(letters))
    #expect(complaints("# \(text)\n[[device]]\nname = \"\(text)\" # \(text)\n") == [])
    for letter in letters { #expect(!complaints("\(letter) = 1\na\(letter)b = 1\n= \(letter)\n").isEmpty) }
  }

  @Test func `dots in texts and remarks are no nesting`() {
    let dots = String(repeating: ".", count: 200)
    let name = "\"\\\"\(dots)\""
    #expect(complaints("# \(dots)\n[[device]]\nname = [\(name), '\(dots)', \"\"\"\n\(dots)\"\"\"] # \(dots)\n") == [])
  }

  @Test func `more bindings and zones than cells in the finest grid are refused`() {
    func bindings(_ count: Int) -> String {
      (0..<count).map {
        let cell = "cell = [\($0 % 32 + 1), \($0 / 32 % 32 + 1)]"
        return "[[bind]]\ngesture = \"tap\"\ngrid = [32, 32]\n\(cell)\ndo = \"add\"\n"
      }.joined()
    }
    func zones(_ count: Int) -> String {
      "[zones]\n" + (0..<count).map { "z\($0) = { left = \(Double($0) / 10_000) }\n" }.joined()
    }
    #expect(complaints(bindings(1024)) == [])
    #expect(
      complaints(bindings(1500)) == [
        "input.toml:5121:1: there are 1500 [[bind]] in one list, and there can be at most 1024"
      ])
    #expect(complaints(zones(1024)) == [])
    #expect(
      complaints(zones(1500)) == [
        "input.toml:1026:1: there are 1500 zones in one table, and there can be at most 1024"
      ])
  }
}
