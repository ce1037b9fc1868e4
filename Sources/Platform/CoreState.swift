/// Where the core keeps the counts.
public enum CoreState {
  /// The folder of `option`, or else of this process's environment; `nil` where nothing says who runs it.
  public static func folder(option: String?) -> String? {
    if let option { return option }
    // systemd lists several folders with colons; the first one is ours.
    if let folder = ServiceProcess.environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(folder) }
    if let base = ServiceProcess.environment("XDG_STATE_HOME") { return "\(base)/tallymark" }
    return ServiceProcess.environment("HOME").map { "\($0)/.local/state/tallymark" }
  }
}
