public import Bindings
import Glibc
import InputDevices
import Platform

/// Where the configuration comes from.
public enum ConfigurationFile {
  /// The code that a program ends with when its configuration is wrong; `EX_CONFIG` of sysexits.h.
  public static let wrongCode: Int32 = 78

  /// What applies to this person: the file that `--config` names, else the first of the usual places that has one, else
  /// nothing but the defaults.
  ///
  /// - Throws: ``ConfigurationErrors``, or a ``SystemError`` where a file that is there cannot be read.
  public static func inForce(option: String?) throws -> Configuration {
    for place in places(option: option) {
      do {
        return try read(place)
      } catch let error as SystemError where option == nil && [ENOENT, ENOTDIR].contains(error.code) {
        continue
      } catch let error as SystemError where option == nil && error.code == EACCES {
        // A service may be kept from homes altogether.
        ServiceProcess.log(.notice, "Without a configuration from there: \(error).")
      }
    }
    return .standard
  }

  /// Where a configuration is looked for, in this order.
  static func places(option: String?) -> [String] {
    Configuration.places(
      option: option, configHome: ServiceProcess.environment("XDG_CONFIG_HOME"),
      home: ServiceProcess.environment("HOME"))
  }

  /// The configuration in the file at `path`.
  public static func read(_ path: String) throws -> Configuration {
    let keys = KeyNames(code: { EvdevKeys.code(of: $0) }, known: EvdevKeys.names)
    return try Configuration(try content(path), file: path, keys: keys)
  }

  /// One byte more than a configuration may have, at most: enough to be refused for its length.
  private static func content(_ path: String) throws(SystemError) -> [UInt8] {
    let attempt = "read \(path)"
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .current(attempt) }
    let file = Descriptor(owning: number)
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while content.count <= Configuration.sizeLimit {
      let count = Glibc.read(file.number, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .current(attempt) }
      if count == 0 { break }
      content += piece.prefix(count)
    }
    return content
  }
}
