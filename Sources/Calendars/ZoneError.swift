/// Why a time zone cannot be used, as the end of a sentence or as one.
public struct ZoneError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
