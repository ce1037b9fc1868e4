import Board
import Testing
import Text

@Suite struct PictureTests {
  /// A PNG file with chunks of these names and lengths between its header and its end.
  private static func png(width: UInt8 = 96, height: UInt8 = 96, high: UInt8 = 0, _ chunks: [Int] = [4]) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]
    bytes += Array("IHDR".utf8)
    bytes += [0, 0, high, width, 0, 0, high, height, 8, 6, 0, 0, 0, 0, 0, 0, 0]
    for length in chunks {
      bytes += [0, 0, UInt8(length >> 8), UInt8(length & 255)]
      bytes += Array("IDAT".utf8)
      bytes += [UInt8](repeating: 0, count: length + 4)
    }
    bytes += [0, 0, 0, 0]
    bytes += Array("IEND".utf8)
    return bytes + [0, 0, 0, 0]
  }

  private static func webP(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var bytes = Array("RIFF".utf8)
    bytes += [UInt8(12 + content.count), 0, 0, 0]
    bytes += Array("WEBP".utf8)
    bytes += Array(name.utf8)
    bytes += [UInt8(content.count), 0, 0, 0]
    return bytes + content
  }

  /// WebP files of the three kinds, 96 points wide and 64 high.
  private static let webP: [[UInt8]] = [
    webP("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, 96, 0, 64, 0]), webP("VP8L", [0x2f, 95, 0xc0, 15, 0, 0]),
    webP("VP8X", [0, 0, 0, 0, 95, 0, 0, 63, 0, 0]),
  ]

  /// A JPEG file with an empty comment, a header of 96 × 64 points, and some compressed points.
  private static var jpeg: [UInt8] {
    let header: [UInt8] = [0xff, 0xd8, 0xff, 0xfe, 0, 2, 0xff, 0xc0, 0, 11, 8, 0, 64, 0, 96, 1, 1, 0x11, 0]
    let points: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 7, 0xff, 0xd9]
    return header + points
  }

  @Test func `PNG, JPEG and WebP are pictures; other files and long ones are not`() {
    #expect(Picture(Self.png())?.type == "image/png")
    #expect(Picture(Self.jpeg)?.type == "image/jpeg")
    for bytes in Self.webP { #expect(Picture(bytes)?.type == "image/webp") }
    for text in ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "RIFF\0\0\0\0WAVEfmt ", "GIF89a"] {
      #expect(Picture(Array(text.utf8)) == nil, "\(text)")
    }
    let frame = Self.png([0]).count
    #expect(Picture(Self.png([Picture.longest - frame])) != nil)
    #expect(Picture(Self.png([Picture.longest - frame + 1])) == nil)
  }

  @Test func `a file that is cut off, or has something behind its end, is no picture`() {
    for whole in [Self.png(), Self.jpeg] + Self.webP {
      for length in whole.indices { #expect(Picture(Array(whole.prefix(length))) == nil, "\(length) of \(whole)") }
      #expect(Picture(whole + [0]) == nil)
      #expect(Picture(whole + Array("<script>".utf8)) == nil)
    }
    #expect(Picture(Self.jpeg + Array("<script>".utf8) + [0xff, 0xd9]) == nil)
    // Chunks that are longer than the file.
    var wrong = Self.png()
    wrong[33] = 0x7f
    #expect(Picture(wrong) == nil)
  }

  @Test func `a picture has at least one point, and at most 1,024 each way`() {
    #expect(Picture(Self.png(width: 0)) == nil)
    #expect(Picture(Self.png(height: 0)) == nil)
    #expect(Picture(Self.png(width: 0, height: 0, high: 4)) != nil)
    #expect(Picture(Self.png(width: 1, height: 0, high: 4)) == nil)
  }

  @Test func `an icon has the name of its picture, which follows from the content`() throws {
    let (one, other) = (try #require(Picture(Self.png([1]))), try #require(Picture(Self.png([2]))))
    #expect(one.icon != other.icon)
    #expect(one.icon.hasPrefix("🖼") && one.icon.count <= 14)
    #expect(one.icon.pictureName == one.name[...])
  }
}
