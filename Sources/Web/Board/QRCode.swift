private import Cqrencode

/// A QR code (ISO/IEC 18004) of a text, with error correction level L, computed by libqrencode.
public struct QRCode: Sendable, Equatable {
  /// The rows of modules; `true` is dark.
  public let rows: [[Bool]]

  /// `nil` for an empty text and for a text that is too long for a QR code.
  public init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    let modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size)
    // The lowest bit of a module is its colour.
    rows = (0..<size).map { row in modules[row * size..<(row + 1) * size].map { $0 & 1 == 1 } }
  }

  /// The code as a picture, dark on light with the margin of four modules that the standard asks for.
  var svg: String {
    let margin = 4
    let size = rows.count + 2 * margin
    var path = ""
    for (y, row) in rows.enumerated() {
      for (x, isDark) in row.enumerated() where isDark { path += "M\(x + margin) \(y + margin)h1v1h-1z" }
    }
    return
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size) \(size)\" shape-rendering=\"crispEdges\">"
      + "<path fill=\"#fff\" d=\"M0 0h\(size)v\(size)H0z\"/><path d=\"\(path)\"/></svg>\n"
  }

  /// The text as half-block characters, dark on light with a margin of two modules, for dark terminals.
  public var terminalLines: [String] {
    let margin = 2
    let blank = [Bool](repeating: false, count: rows.count + 2 * margin)
    let sides = [Bool](repeating: false, count: margin)
    let all = [blank, blank] + rows.map { sides + $0 + sides } + [blank, blank, blank]
    return stride(from: 0, to: all.count - 1, by: 2).map { index in
      let text = zip(all[index], all[index + 1]).map { upper, lower in
        switch (upper, lower) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }
      return text.joined()
    }
  }
}
