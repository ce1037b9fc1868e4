import JSON
import Linux
import Text

/// A picture that a person has chosen as an icon. The icon itself is text: ``Swift/String/pictureSign``, and the name of the
/// picture.
public struct Picture: Sendable {
  public let bytes: [UInt8]
  /// The media type: PNG, JPEG or WebP.
  public let type: String

  /// The maximum length, in bytes. A page sends 96 × 96 points, which have about 4 kB.
  public static let longest = 12_288

  /// `nil` for content of another format, for a file that is not whole, and for one that is too long or too large. SVG is
  /// refused, because it can have scripts.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.longest, let header = PictureHeader(bytes) else { return nil }
    (self.bytes, self.type) = (bytes, header.type)
  }

  /// The name, which follows from the content: at most 13 letters and digits.
  public var name: String { String(FNV1a.hash(bytes), radix: 36) }

  /// The icon of a counter, group or formula that has this picture.
  public var icon: String { String.pictureSign + name }
}

extension Routes.Content {
  /// The response with a picture. Its name follows from its content, so that a browser asks once.
  public static func picture(_ picture: Picture) -> Self {
    let headers = [("Content-Type", picture.type), ("Cache-Control", "public, max-age=31536000, immutable")]
    return Self(status: 200, headers: headers, body: picture.bytes)
  }

  public static let noPicture = refusal(404, "picture", "The board has no such picture.")

  /// The response for a picture that was kept: the icon that shows it.
  public static func kept(_ picture: Picture) -> Self { .object(200) { $0.add("icon", picture.icon) } }

  public static let badPicture = refusal(
    415, "picture",
    "A picture has to be a whole PNG, JPEG or WebP file of at most 12 kB, and at most 1,024 points wide and high.")

  public static let tooManyPictures = refusal(
    409, "pictures",
    "The board keeps 256 pictures, and all of them are in use. Give a counter, formula or group another icon first.")

  public static let pictureNotKept = refusal(
    500, "storage",
    "The board could not write the picture. Free space on the board's disk and try again; its log has the reason.")
}
