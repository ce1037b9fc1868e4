/// The format and the size that a file of a picture states. Nothing is decoded, but the file has to be whole: its parts
/// have lengths, which end with the file.
struct PictureHeader {
  /// The media type.
  let type: String

  /// The maximum width and height, in points: a browser needs memory for all of them.
  static let largest = 1024

  /// `nil` for another format, a file that is cut off or has something behind its end, and for a size of 0 or beyond the
  /// maximum.
  init?(_ bytes: [UInt8]) {
    let found = Self.png(bytes) ?? Self.webP(bytes) ?? Self.jpeg(bytes)
    guard let found, 1...Self.largest ~= found.width, 1...Self.largest ~= found.height else { return nil }
    type = found.type
  }

  private typealias Found = (type: String, width: Int, height: Int)

  /// Signature, then chunks: length, name, content and checksum. The first one, IHDR, has the size; the last one is IEND.
  private static func png(_ bytes: [UInt8]) -> Found? {
    guard bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), name(bytes, 12) == "IHDR",
      let width = big(bytes, 16, 4), let height = big(bytes, 20, 4)
    else { return nil }
    var place = 8
    while let length = big(bytes, place, 4), let chunk = name(bytes, place + 4) {
      place += 12 + length
      if chunk == "IEND" { return place == bytes.count ? ("image/png", width, height) : nil }
    }
    return nil
  }

  /// RIFF, the length of the rest, WEBP, then chunks: name, length, content, filled up to an even length.
  private static func webP(_ bytes: [UInt8]) -> Found? {
    guard name(bytes, 0) == "RIFF", name(bytes, 8) == "WEBP", little(bytes, 4, 4) == bytes.count - 8 else { return nil }
    let size: (width: Int?, height: Int?) =
      switch name(bytes, 12) {
      case "VP8 ": (little(bytes, 26, 2).map { $0 & 0x3fff }, little(bytes, 28, 2).map { $0 & 0x3fff })
      case "VP8L":
        (little(bytes, 21, 4).map { ($0 & 0x3fff) + 1 }, little(bytes, 21, 4).map { ($0 >> 14 & 0x3fff) + 1 })
      case "VP8X": (little(bytes, 24, 3).map { $0 + 1 }, little(bytes, 27, 3).map { $0 + 1 })
      default: (nil, nil)
      }
    guard let width = size.width, let height = size.height else { return nil }
    var place = 12
    while place < bytes.count {
      guard let length = little(bytes, place + 4, 4) else { return nil }
      place += 8 + length + length % 2
    }
    return place == bytes.count ? ("image/webp", width, height) : nil
  }

  /// Segments: a marker, a length and content. One of those that begin a frame has the size; the last one begins the
  /// compressed points, which end with the marker of the end.
  private static func jpeg(_ bytes: [UInt8]) -> Found? {
    guard bytes.starts(with: [0xff, 0xd8]), bytes.suffix(2).elementsEqual([0xff, 0xd9]) else { return nil }
    var (place, size) = (2, (width: Int, height: Int)?.none)
    while let marker = big(bytes, place, 2), marker >= 0xff00, let length = big(bytes, place + 2, 2), length >= 2 {
      switch marker & 0xff {
      // Huffman tables, extensions and arithmetic coding have numbers of the same range.
      case 0xc4, 0xc8, 0xcc: break
      case 0xc0...0xcf:
        guard let height = big(bytes, place + 5, 2), let width = big(bytes, place + 7, 2) else { return nil }
        size = (width, height)
      case 0xda:
        // Among the points 0xff is followed by 0 or by a marker.
        let points = place + 2 + length
        let end = bytes.indices.dropFirst(points).dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xd9 }
        guard let end, end > points, end == bytes.count - 2 else { return nil }
        return size.map { ("image/jpeg", $0.width, $0.height) }
      default: break
      }
      place += 2 + length
    }
    return nil
  }

  private static func part(_ bytes: [UInt8], _ place: Int, _ count: Int) -> ArraySlice<UInt8>? {
    place <= bytes.count - count ? bytes[place..<place + count] : nil
  }

  private static func name(_ bytes: [UInt8], _ place: Int) -> String? {
    part(bytes, place, 4).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func big(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    part(bytes, place, count)?.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func little(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    part(bytes, place, count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
