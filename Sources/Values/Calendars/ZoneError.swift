/// The reason why a time zone cannot be used: a clause without a full stop, as the text after a colon.
public struct ZoneError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
