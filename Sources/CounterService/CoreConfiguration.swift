public import Toml

/// What an administrator sets for the core: `core.toml`.
public struct CoreConfiguration: Equatable, Sendable {
  public var rights: Rights = .standard
  /// What all programs of one user may claim together; root and the core's own user may claim all there is.
  public var userLimits = Limits()

  /// How long after the first request for a reset the second one does it, in microseconds.
  public var resetWindow: Int64 = 3_000_000

  public init() {}

  /// See ``CoreConfiguration/userLimits``.
  public struct Limits: Equatable, Sendable {
    /// Connections at a time.
    public var connections = 64
    /// Calls a second: far more than people and their programs make, and a fraction of what the core can answer.
    public var calls = 10_000
  }

  /// A longer file is none that a person wrote.
  static let sizeLimit = 1 << 20

  /// Reads a configuration.
  public init(_ bytes: [UInt8], file: String) throws(ConfigurationErrors) {
    var reader = CoreConfigurationReader(file: file)
    self = reader.configuration(of: bytes)
    if !reader.errors.isEmpty { throw ConfigurationErrors(errors: reader.errors) }
  }
}
