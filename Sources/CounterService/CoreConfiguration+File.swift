import Platform
import Toml

/// Where the configuration is.
extension CoreConfiguration {
  /// Where it is read from unless `--config` says otherwise.
  public static let standardPath = "/etc/tallymark/core.toml"

  /// What the file at `path` says; the defaults where there is none and none was asked for.
  ///
  /// - Parameter option: what `--config` says.
  /// - Throws: `ConfigurationErrors`, or ``SystemError`` where a file cannot be read.
  public static func inForce(option: String?) throws -> CoreConfiguration {
    let path = option ?? standardPath
    do {
      return try CoreConfiguration(try FileContent.read(path, upTo: sizeLimit), file: path)
    } catch let error as SystemError where option == nil && [2, 20].contains(error.code) {
      return CoreConfiguration()
    }
  }
}
