import Board
import Testing
import Text

@Suite struct PictureTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let webp = Array("RIFF\0\0\0\0WEBPVP8 ".utf8)

  @Test func `PNG, JPEG and WebP are pictures; other files and long ones are not`() {
    #expect(Picture(Self.png)?.type == "image/png")
    #expect(Picture([0xff, 0xd8, 0xff, 0xe0])?.type == "image/jpeg")
    #expect(Picture(Self.webp)?.type == "image/webp")
    for text in ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "RIFF\0\0\0\0WAVEfmt ", "GIF89a"] {
      #expect(Picture(Array(text.utf8)) == nil, "\(text)")
    }
    let full = Self.png + Array(repeating: 0, count: Picture.longest - Self.png.count)
    #expect(Picture(full) != nil)
    #expect(Picture(full + [0]) == nil)
  }

  @Test func `an icon has the name of its picture, which follows from the content`() throws {
    let (one, other) = (try #require(Picture(Self.png + [1])), try #require(Picture(Self.png + [2])))
    #expect(one.icon != other.icon)
    #expect(one.icon.hasPrefix("🖼") && one.icon.count <= 14)
    #expect(one.icon.pictureName == one.name[...])
  }
}
