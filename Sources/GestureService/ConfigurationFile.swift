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

  /// Where a configuration is written: the file that is in force, else the person's own, which for root is that of the
  /// whole machine.
  static func placeToWrite(option: String?) -> String {
    let places = places(option: option)
    let existing = places.first { access($0, F_OK) == 0 }
    return existing ?? (ServiceProcess.user == 0 ? places.last : places.first) ?? "/etc/tallymark/input.toml"
  }

  /// The configuration in the file at `path`.
  public static func read(_ path: String) throws -> Configuration {
    let keys = KeyNames(code: { EvdevKeys.code(of: $0) }, known: EvdevKeys.names)
    return try Configuration(
      try FileContent.read(path, upTo: Configuration.sizeLimit), file: path, keys: keys)
  }
}
