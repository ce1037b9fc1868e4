import Linux
public import Toml

/// The configuration of the core, `core.toml`.
public struct CoreConfiguration: Equatable, Sendable {
  public var rights: Rights = .standard
  /// The limits of all programs of one user together. Root and the core's own user have no limits.
  public var userLimits = Limits()

  /// The time within which a second request confirms a reset, in microseconds.
  public var resetWindow: Int64 = 3_000_000

  public init() {}

  /// The limits of a user; see ``CoreConfiguration/userLimits``.
  public struct Limits: Equatable, Sendable {
    /// Simultaneous connections.
    public var connections = 64
    /// Calls per second: far more than people and their programs make, and far fewer than the core can handle.
    public var calls = 10_000
  }

  /// The maximum size of the file in bytes.
  static let sizeLimit = 1 << 20

  public init(_ bytes: [UInt8], file: String) throws(ConfigurationErrors) {
    var reader = CoreConfigurationReader(file: file)
    self = reader.configuration(of: bytes)
    if !reader.errors.isEmpty { throw ConfigurationErrors(errors: reader.errors) }
  }

  /// The default of `--config`.
  public static let standardPath = "/etc/tallymark/core.toml"

  /// Reads the configuration in force; the defaults if the standard file does not exist.
  ///
  /// - Parameter option: the value of `--config`.
  /// - Throws: `ConfigurationErrors`, or ``SystemError`` if the file cannot be read.
  public static func inForce(option: String?) throws -> CoreConfiguration {
    let path = option ?? standardPath
    do {
      return try CoreConfiguration(try FileContent.read(path, upTo: sizeLimit), file: path)
    } catch let error as SystemError where option == nil && [2, 20].contains(error.code) {
      return CoreConfiguration()
    }
  }
}
