import Linux

/// A file of the page, part of the program.
public struct PageFile: Sendable {
  public let type: String
  public let bytes: [UInt8]
  /// Identifies the content.
  public let tag: String

  init(_ type: String, _ bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
    tag = "\"\(String(FNV1a.hash(bytes), radix: 16))\""
  }

  static let page = PageFile("text/html; charset=utf-8", PackageResources.index_html)

  /// Modules of the page in the order in which they would be loaded, by name.
  private typealias Modules = [(name: String, source: [UInt8])]

  /// The names that modules import from others, in alphabetical order.
  private static func imports(of modules: Modules, from others: Modules) -> String {
    let files = Set(others.map { "\"./\($0.name).js\";" })
    var names: Set<String> = []
    for line in modules.flatMap({ $0.source.split(separator: UInt8(ascii: "\n")) })
    where line.starts(with: "import {".utf8) {
      // import { a, b } from "./c.js";
      let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
      guard let file = words.last, files.contains(file) else { continue }
      names.formUnion(words.dropFirst(2).dropLast(3).map { $0.filter { $0 != "," } })
    }
    return names.sorted().joined(separator: ",")
  }

  /// The modules as one script, so that a browser asks once: in the order in which they would be loaded, and without
  /// their imports and exports, since no name is declared by two of them. Also without the spaces beside marks, the ends of
  /// continued lines, and the last semicolons of blocks.
  /// `Tests/Programs/Board/test_scripts.py` compares the result with the sources, token by token.
  ///
  /// - Parameters:
  ///   - rest: the modules of the scripts that are loaded later, for which the names that they import are exported.
  ///   - first: the modules of the script before, from which this one imports. It keeps its exports.
  private static func script(_ modules: Modules, for rest: Modules = [], after first: Modules = []) -> PageFile {
    let keepsExports = !first.isEmpty
    let shorter = modules.flatMap { compact($0.source).split(separator: UInt8(ascii: "\n")) }
      .filter { !$0.starts(with: "import ".utf8) }
      .map { line in
        let isExport = line.starts(with: "export ".utf8) && !keepsExports
        return isExport ? line.dropFirst("export ".utf8.count) : line
      }
    let script = withoutSpaces(Array(shorter.joined(separator: [UInt8(ascii: "\n")])))
    let imported = keepsExports ? "import{\(imports(of: modules, from: first))}from\"/board.js\";\n" : ""
    let exported = rest.isEmpty ? "" : "\nexport{\(imports(of: rest, from: modules))}"
    return PageFile("text/javascript; charset=utf-8", Array(imported.utf8) + script + Array(exported.utf8))
  }

  /// A script without the spaces that separate nothing, the ends of lines that continue, and the last semicolons of blocks.
  /// Texts, templates and regular expressions stay as they are.
  private static func withoutSpaces(_ source: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    /// For each open brace, whether it is in a template.
    var braces: [Bool] = []
    var place = 0
    while place < source.count {
      let (byte, last) = (source[place], result.last ?? UInt8(ascii: "\n"))
      place += 1
      switch byte {
      case UInt8(ascii: " "):
        let next = source[place]
        if isWord(last) && isWord(next) || last == next && "+-".utf8.contains(last) { result.append(byte) }
      case UInt8(ascii: "\n") where ";,{}([".utf8.contains(last): break
      case _ where "\"'`".utf8.contains(byte), UInt8(ascii: "}") where braces.last == true,
        UInt8(ascii: "/")
      where !isWord(last) && !")]}\"'`".utf8.contains(last) || result.suffix(6).elementsEqual("return".utf8):
        if byte == UInt8(ascii: "}") { braces.removeLast() }
        let end = endOfLiteral(in: source, from: place - 1)
        result += source[(place - 1)..<end]
        place = end
        if result.suffix(2).elementsEqual("${".utf8) { braces.append(true) }
      default:
        if byte == UInt8(ascii: "{") { braces.append(false) }
        if byte == UInt8(ascii: "}") {
          braces.removeLast()
          if last == UInt8(ascii: ";") { result.removeLast() }
        }
        result.append(byte)
      }
    }
    return result
  }

  /// Whether a byte is one of a name, a keyword or a number.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), 128...: true
    default: "_$#".utf8.contains(byte)
    }
  }

  /// The index after a literal: a text, a regular expression or a part of a template.
  ///
  /// - Parameter begin: the index of its first byte.
  private static func endOfLiteral(in source: [UInt8], from begin: Int) -> Int {
    let closing = source[begin] == UInt8(ascii: "}") ? UInt8(ascii: "`") : source[begin]
    var (place, isInBrackets) = (begin + 1, false)
    while source[place] != closing || isInBrackets {
      if closing == UInt8(ascii: "`"), source[place...].starts(with: "${".utf8) { return place + 2 }
      if closing == UInt8(ascii: "/"), "[]".utf8.contains(source[place]) {
        isInBrackets = source[place] == UInt8(ascii: "[")
      }
      place += source[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return place + 1
  }

  /// The lines without indentation and comments, which browsers do not need.
  private static func compact(_ bytes: [UInt8]) -> [UInt8] {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
    let rest = lines.filter { line in
      let isComment =
        line.starts(with: "//".utf8) || line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
      return !isComment
    }
    return Array(rest.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// A style sheet, also without the spaces beside its marks, and the last semicolons of its rules.
  private static func styles(_ bytes: [UInt8]) -> [UInt8] {
    let shorter = [
      ("\n", " "), (" {", "{"), ("{ ", "{"), ("; ", ";"), (";}", "}"), (" }", "}"), ("} ", "}"), (": ", ":"),
      (", ", ","), (" > ", ">"), (" !", "!"), (" * ", "*"), (" / ", "/"),
    ]
    return replace(shorter, in: compact(bytes))
  }

  /// Makes several replacements, one after the other. The standard library's `replacing` takes many times as long.
  private static func replace(_ texts: [(String, String)], in bytes: [UInt8]) -> [UInt8] {
    texts.reduce(bytes) { bytes, change in
      let (old, new) = (Array(change.0.utf8), Array(change.1.utf8))
      var (result, rest) = ([UInt8](), bytes[...])
      result.reserveCapacity(bytes.count)
      while let byte = rest.first {
        if byte == old.first, rest.starts(with: old) {
          result += new
          rest.removeFirst(old.count)
        } else {
          result.append(byte)
          rest.removeFirst()
        }
      }
      return result
    }
  }

  /// The modules of the script that the page loads first: to see counters and to count.
  private static let countingModules: Modules = [
    ("icons", PackageResources.icons_js),
    ("elements", PackageResources.elements_js),
    ("state", PackageResources.state_js),
    ("texts", PackageResources.texts_js),
    ("notices", PackageResources.notices_js),
    ("store", PackageResources.store_js),
    ("stream", PackageResources.stream_js),
    ("queue", PackageResources.queue_js),
    ("colours", PackageResources.colours_js),
    ("marks", PackageResources.marks_js),
    ("later", PackageResources.later_js),
    ("awake", PackageResources.awake_js),
    ("settings", PackageResources.settings_js),
    ("hand", PackageResources.hand_js),
    ("help", PackageResources.help_js),
    ("tutorial", PackageResources.tutorial_js),
    ("empty", PackageResources.empty_js),
    ("amount", PackageResources.amount_js),
    ("events", PackageResources.events_js),
    ("follow", PackageResources.follow_js),
    ("sums", PackageResources.sums_js),
    ("list", PackageResources.list_js),
    ("pager", PackageResources.pager_js),
    ("one", PackageResources.one_js),
    ("tiles", PackageResources.tiles_js),
    ("overview", PackageResources.overview_js),
    ("gestures", PackageResources.gestures_js),
    ("wall", PackageResources.wall_js),
    ("board", PackageResources.board_js),
  ]

  /// The modules of the script that the page loads when a person pairs a device, sets up, enters an amount or takes the
  /// tutorial.
  private static let laterModules: Modules = [
    ("pairing", PackageResources.pairing_js),
    ("sheets", PackageResources.sheets_js),
    ("device", PackageResources.device_js),
    ("sharing", PackageResources.sharing_js),
    ("ordering", PackageResources.ordering_js),
    ("picker", PackageResources.picker_js),
    ("picture", PackageResources.picture_js),
    ("carrying", PackageResources.carrying_js),
    ("setup", PackageResources.setup_js),
    ("keypad", PackageResources.keypad_js),
    ("notes", PackageResources.notes_js),
    ("surface", PackageResources.surface_js),
    ("lessons", PackageResources.lessons_js),
  ]

  /// The modules of the script that the page loads when a person looks back, or has a wide screen beside a counter.
  private static let pastModules: Modules = [
    ("chart", PackageResources.chart_js),
    ("history", PackageResources.history_js),
    ("past", PackageResources.past_js),
    ("day", PackageResources.day_js),
  ]

  /// The files that the page loads, by path.
  public static let parts: [String: PageFile] = [
    // The sources have one file for each view, but the browser makes two requests only.
    "/board.css": styleSheet([
      PackageResources.base_css, PackageResources.one_css, PackageResources.overview_css, PackageResources.help_css,
      PackageResources.wall_css,
    ]),
    "/board.js": script(countingModules, for: laterModules + pastModules),
    "/later.css": styleSheet([PackageResources.sheets_css, PackageResources.setup_css]),
    "/later.js": script(laterModules, after: countingModules),
    "/past.css": styleSheet([PackageResources.past_css]),
    "/past.js": script(pastModules, after: countingModules),
    // For the home screen of a phone.
    "/manifest.json": PageFile("application/manifest+json", PackageResources.manifest_json),
    "/icon.png": PageFile("image/png", PackageResources.icon_png),
    "/digits.woff2": PageFile("font/woff2", PackageResources.digits_woff2),
  ]

  private static func styleSheet(_ files: [[UInt8]]) -> PageFile {
    PageFile("text/css; charset=utf-8", files.flatMap(styles))
  }

  /// A hash of all files: a page with another build reloads once.
  static let build: String = {
    let tags = [page.tag] + parts.sorted { $0.key < $1.key }.map(\.value.tag)
    return PageFile("", Array(tags.joined().utf8)).tag.filter { $0 != "\"" }
  }()
}
