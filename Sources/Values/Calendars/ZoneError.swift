/// Why a time zone cannot be used: a clause without a full stop, to follow a colon.
public struct ZoneError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
