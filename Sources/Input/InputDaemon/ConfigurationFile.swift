public import Bindings
import Glibc
import InputDevices
import Linux
package import Tallymark

/// Finds, reads and checks the configuration file.
public enum ConfigurationFile {
  /// The exit code of a program with an invalid configuration; `EX_CONFIG` of sysexits.h.
  public static let wrongCode: Int32 = 78

  /// The configuration in force: the file of `--config`, else the first existing file of the usual paths, else the
  /// defaults.
  ///
  /// - Throws: ``ConfigurationErrors``, or a ``SystemError`` if an existing file cannot be read.
  public static func inForce(option: String?) throws -> Configuration {
    for place in places(option: option) {
      do {
        return try read(place)
      } catch let error as SystemError where option == nil && [ENOENT, ENOTDIR].contains(error.code) {
        continue
      } catch let error as SystemError where option == nil && error.code == EACCES {
        // A service may have no access to home folders, so this is only logged.
        ServiceProcess.log(.notice, "Without a configuration from there: \(error).")
      }
    }
    return .standard
  }

  /// The paths of a configuration, in the order in which they are tried.
  static func places(option: String?) -> [String] {
    Configuration.places(
      option: option, configHome: ServiceProcess.environment("XDG_CONFIG_HOME"),
      home: ServiceProcess.environment("HOME"))
  }

  /// The file to which a configuration is written: the file in force, else the person's file; for root, the machine's
  /// file.
  ///
  /// - Throws: `UsageError` if the folder of the file of `--config` does not exist: a typing mistake must not create
  ///   folders.
  package static func placeToWrite(option: String?) throws(UsageError) -> String {
    if let option, let slash = option.lastIndex(of: "/"), slash != option.startIndex,
      access(String(option[..<slash]), F_OK) != 0
    {
      throw UsageError("There is no folder \(option[..<slash]); create it, or name another file.")
    }
    let places = places(option: option)
    let existing = places.first { access($0, F_OK) == 0 }
    return existing ?? (ServiceProcess.user == 0 ? places.last : places.first) ?? "/etc/tallymark/input.toml"
  }

  public static func read(_ path: String) throws -> Configuration {
    try parse(try FileContent.read(path, upTo: Configuration.sizeLimit), file: path)
  }

  /// The text of the file at `path`; `nil` if the file does not exist.
  package static func text(_ path: String) throws -> String? {
    do {
      return String(decoding: try FileContent.read(path, upTo: Configuration.sizeLimit), as: UTF8.self)
    } catch  where [ENOENT, ENOTDIR].contains(error.code) {
      return nil
    }
  }

  package static func parse(_ text: String, file: String) throws -> Configuration {
    try parse(Array(text.utf8), file: file)
  }

  private static func parse(_ bytes: [UInt8], file: String) throws -> Configuration {
    try Configuration(
      bytes, file: file, keys: KeyNames(code: { EvdevKeys.code(of: $0) }, known: EvdevKeys.names))
  }
}
