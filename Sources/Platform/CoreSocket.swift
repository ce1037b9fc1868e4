/// Where the core listens, and so where everyone looks for it.
public enum CoreSocket {
  /// The socket that `--socket` or `$TALLYMARK_SOCKET` names; `nil` where neither does.
  public static func named(_ option: String?) -> String? {
    option ?? ServiceProcess.environment("TALLYMARK_SOCKET")
  }

  /// Where root's core listens.
  public static let system = "/run/tallymark/tallymark.sock"

  /// Where the core of the person who runs this process listens; `nil` for root, and where the session has no
  /// runtime folder (`$XDG_RUNTIME_DIR`).
  public static var personal: String? {
    guard ServiceProcess.user != 0, let folder = ServiceProcess.environment("XDG_RUNTIME_DIR") else { return nil }
    return "\(folder)/tallymark/tallymark.sock"
  }

  /// Where a core is made to listen.
  ///
  /// - Returns: `nil` where there is no place: not root, nothing named, and no runtime folder.
  public static func place(option: String?) -> String? {
    named(option) ?? (ServiceProcess.user == 0 ? system : personal)
  }

  /// Where a client looks, in this order: only at what is named, else at the person's own core, then at root's.
  public static func candidates(option: String?) -> [String] {
    if let named = named(option) { return [named] }
    return [personal, system].compactMap { $0 }
  }
}
