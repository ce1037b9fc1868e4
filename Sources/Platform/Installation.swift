import Glibc

/// How these programs came to this machine, which decides what puts there what is missing.
public enum Installation: Equatable, Sendable {
  /// Built in this folder, and run from there.
  case checkout(String)
  /// By the package, which alone puts programs into `/usr/bin`.
  case package
  /// By `make install`, from a folder that nobody remembers.
  case made

  /// How this program came here.
  public static let current = Installation(program: ownPath)

  /// - Parameter path: where a program lies, with no links in it.
  public init(program path: String) {
    let folders = path.split(separator: "/", omittingEmptySubsequences: false)
    if let build = folders.firstIndex(of: ".build") {
      self = .checkout(folders[..<build].joined(separator: "/"))
    } else {
      self = path.hasPrefix("/usr/bin/") ? .package : .made
    }
  }

  /// What installs everything, or what of it is missing.
  public var install: Remedy { made("install") }

  /// What installs udev's rules where nothing else needs to be.
  public var installRules: Remedy { made("install-udev") }

  private func made(_ target: String) -> Remedy {
    switch self {
    case .checkout(let folder): Remedy("sudo make -C \(Remedy.word(folder)) \(target)")
    // A file given by its path is taken whether or not its version is there already.
    case .package: Remedy("sudo apt install --reinstall ./tallymark_*.deb", hint: "where the package lies")
    case .made: Remedy("sudo make \(target)", hint: "where Tallymark was built")
    }
  }

  private static var ownPath: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &path, path.count)
    return String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
