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

  /// The modules as one script, so that a browser asks once: in the order in which they would be loaded, and without
  /// their imports and exports, since no name is declared by two of them. Also without the spaces beside marks that no
  /// text of the page contains, the ends of continued lines, and the last semicolons of blocks.
  /// `Tests/Programs/Board/test_scripts.py` compares the result with the sources, token by token.
  private static func script(_ modules: [[UInt8]]) -> PageFile {
    let between = [
      "=>", "=", "===", "!==", "&&", "||", "??", "?", ":", "+", "-", "*", "/", "<", ">", "<=", ">=", "+=", "??=",
    ]
    let marks =
      between.map { (" \($0) ", $0) } + [
        ("{ ", "{"), (" {", "{"), (" }", "}"), (") ", ")"), ("if (", "if("), ("for (", "for("), ("switch (", "switch("),
        ("} from ", "}from"), ("from \"", "from\""), ("} finally", "}finally"), ("} catch", "}catch"),
        ("const [", "const["),
      ]
    let lines = [";", ",", "{", "(", "["].map { ("\($0)\n", $0) } + [(";}", "}")]
    let shorter = modules.flatMap { compact($0).split(separator: UInt8(ascii: "\n")) }
      .filter { !$0.starts(with: "import ".utf8) }
      .map { withoutSpacesInLists($0.starts(with: "export ".utf8) ? $0.dropFirst("export ".utf8.count) : $0) }
    return PageFile(
      "text/javascript; charset=utf-8",
      replace(marks + lines, in: Array(shorter.joined(separator: [UInt8(ascii: "\n")]))))
  }

  /// A line of a script without the spaces after commas and colons outside of texts. A line stays as it is if it has an
  /// escaped mark, a slash outside of texts, which may begin a regular expression, or an unterminated text.
  private static func withoutSpacesInLists(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var shorter: [UInt8] = []
    var quote: UInt8?
    for byte in line {
      switch (byte, quote) {
      case (UInt8(ascii: "\\"), _), (UInt8(ascii: "/"), nil): return Array(line)
      case (UInt8(ascii: "\""), nil), (UInt8(ascii: "`"), nil): quote = byte
      case (UInt8(ascii: " "), nil) where shorter.last.map(",:".utf8.contains) == true: continue
      case (quote, _): quote = nil
      default: break
      }
      shorter.append(byte)
    }
    return quote == nil ? shorter : Array(line)
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
      (", ", ","), (" > ", ">"),
    ]
    return replace(shorter, in: compact(bytes))
  }

  /// Makes several replacements, one after the other.
  private static func replace(_ texts: [(String, String)], in bytes: [UInt8]) -> [UInt8] {
    texts.reduce(bytes) { $0.replacing(Array($1.0.utf8), with: Array($1.1.utf8)) }
  }

  /// The files that the page loads, by path.
  public static let parts: [String: PageFile] = [
    // One file for each view in the sources, one request for the browser.
    "/board.css": PageFile(
      "text/css; charset=utf-8",
      [
        PackageResources.base_css, PackageResources.one_css, PackageResources.overview_css, PackageResources.past_css,
        PackageResources.setup_css, PackageResources.help_css, PackageResources.wall_css,
      ].flatMap(styles)),
    "/board.js": script([
      PackageResources.icons_js,
      PackageResources.elements_js,
      PackageResources.state_js,
      PackageResources.texts_js,
      PackageResources.notices_js,
      PackageResources.store_js,
      PackageResources.stream_js,
      PackageResources.queue_js,
      PackageResources.colours_js,
      PackageResources.marks_js,
      PackageResources.settings_js,
      PackageResources.hand_js,
      PackageResources.help_js,
      PackageResources.tutorial_js,
      PackageResources.setup_js,
      PackageResources.events_js,
      PackageResources.follow_js,
      PackageResources.day_js,
      PackageResources.list_js,
      PackageResources.pager_js,
      PackageResources.one_js,
      PackageResources.sharing_js,
      PackageResources.tiles_js,
      PackageResources.overview_js,
      PackageResources.gestures_js,
      PackageResources.past_js,
      PackageResources.pairing_js,
      PackageResources.surface_js,
      PackageResources.wall_js,
      PackageResources.board_js,
    ]),
    "/digits.woff2": PageFile("font/woff2", PackageResources.digits_woff2),
  ]

  /// A hash of all files: a page with another build reloads once.
  static let build: String = {
    let tags = [page.tag] + parts.sorted { $0.key < $1.key }.map(\.value.tag)
    return PageFile("", Array(tags.joined().utf8)).tag.filter { $0 != "\"" }
  }()
}
