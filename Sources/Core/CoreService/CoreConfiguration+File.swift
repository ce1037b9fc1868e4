import Linux
import Toml

/// The file of the configuration.
extension CoreConfiguration {
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
