import Linux

/// The way of installation, which decides the command that installs missing files.
public enum Installation: Equatable, Sendable {
  /// Built in this folder and run from it.
  case checkout(String)
  /// Installed by the Debian package, which alone installs programs in `/usr/bin`.
  case package
  /// Installed by `make install` from an unknown folder.
  case made

  /// The installation of the running program.
  public static let current = Installation(program: program)

  /// - Parameter path: the path of a program, with symbolic links resolved.
  public init(program path: String) {
    let folders = path.split(separator: "/", omittingEmptySubsequences: false)
    if let build = folders.firstIndex(of: ".build") {
      self = .checkout(folders[..<build].joined(separator: "/"))
    } else {
      self = path.hasPrefix("/usr/bin/") ? .package : .made
    }
  }

  /// Installs all files.
  public var install: Remedy { made("install") }

  /// Installs udev rules and the hardware database only.
  public var installRules: Remedy { made("install-udev") }

  /// Installs the bridge to an MQTT broker.
  public var installBridge: Remedy {
    guard case .package = self else { return made("install-bridge") }
    return Remedy("sudo apt install ./tallymark-mqtt_*.deb", hint: "where the package lies")
  }

  private func made(_ target: String) -> Remedy {
    switch self {
    case .checkout(let folder): Remedy("sudo make -C \(Remedy.word(folder)) \(target)")
    // apt installs a file that is given by its path even if that version is installed already.
    case .package: Remedy("sudo apt install --reinstall ./tallymark_*.deb", hint: "where the package lies")
    case .made: Remedy("sudo make \(target)", hint: "where Tallymark was built")
    }
  }

  /// The path of another program of Tallymark, which lies beside the running one.
  public static func sibling(_ name: String) -> String {
    let folders = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return (folders + [name[...]]).joined(separator: "/")
  }

  /// The path of the running program.
  private static var program: String { SymbolicLink.target("/proc/self/exe") ?? "" }
}

/// A suggested fix: a shell command that can be pasted unchanged, with an optional hint.
public struct Remedy: Equatable, Sendable, CustomStringConvertible {
  public let command: String
  /// A hint beside the command: where to run it, or the step after it.
  public let hint: String?

  public init(_ command: String, hint: String? = nil) {
    self.command = command
    self.hint = hint
  }

  /// Command and hint in one line, for a log.
  public var description: String { hint.map { "\(command)   (\($0))" } ?? command }

  /// Quotes `path` as a single shell word.
  public static func word(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "+")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if isPlain, !path.isEmpty { return path }
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
