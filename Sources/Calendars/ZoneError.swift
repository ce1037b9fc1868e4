/// Why a time zone cannot be used, as the end of a sentence or as one.
public struct ZoneError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
  /// Whether its file is there and could not be read now: this process has too many files open, the disk does not
  /// answer. Any other stays as it is until somebody changes the zone database.
  public let mayPass: Bool

  init(_ description: String, mayPass: Bool = false) {
    self.description = description
    self.mayPass = mayPass
  }
}
