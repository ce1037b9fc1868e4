/// The state of a systemd unit.
struct ServiceUnit: Equatable {
  let name: String
  /// `LoadState`, `ActiveState`, `Result`, `UnitFileState`; empty without systemd.
  var properties: [String: String]

  init(_ name: String, _ properties: [String: String]) {
    self.name = name
    self.properties = properties
  }

  /// Queries the unit with the command `systemctl` or `systemctl --user`.
  init(_ name: String, asking systemctl: String) {
    var properties = SystemProbe.properties("\(systemctl) show -p LoadState,ActiveState,Result,UnitFileState \(name)")
    // Without D-Bus only root gets a reply; /run shows the running units as well.
    if properties.isEmpty, systemctl == "systemctl" { properties = Self.seen(name) }
    self.init(name, properties)
  }

  private static func seen(_ name: String) -> [String: String] {
    let runs = SystemProbe.isLink("/run/systemd/units/invocation:\(name)")
    let folders = ["/etc", "/usr/local/lib", "/usr/lib", "/lib"]
    let isInstalled = runs || folders.contains { SystemProbe.exists("\($0)/systemd/system/\(name)") }
    return ["LoadState": isInstalled ? "loaded" : "not-found", "ActiveState": runs ? "active" : "inactive"]
  }

  var isInstalled: Bool { properties["LoadState"].map { $0 != "not-found" } ?? false }
  var runs: Bool { ["active", "activating", "reloading"].contains(properties["ActiveState"]) }
  var isStarting: Bool { properties["ActiveState"] == "activating" }
  var hasFailed: Bool { properties["ActiveState"] == "failed" }

  /// Whether the unit starts at the next boot or login.
  var isEnabled: Bool { properties["UnitFileState"]?.hasPrefix("enabled") ?? false }
}
