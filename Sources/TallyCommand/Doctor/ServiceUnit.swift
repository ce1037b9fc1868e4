/// One of systemd's units, as it has it now.
struct ServiceUnit: Equatable {
  let name: String
  /// `LoadState`, `ActiveState`, `Result`, `UnitFileState`; empty where no systemd answers.
  var properties: [String: String]

  init(_ name: String, _ properties: [String: String]) {
    self.name = name
    self.properties = properties
  }

  /// Asks `systemctl`, with the words that say which one: `systemctl`, `systemctl --user`.
  init(_ name: String, asking systemctl: String) {
    var properties = Inquiry.properties("\(systemctl) show -p LoadState,ActiveState,Result,UnitFileState \(name)")
    // Without a D-Bus nobody but root is answered; what runs shows in /run as well.
    if properties.isEmpty, systemctl == "systemctl" { properties = Self.seen(name) }
    self.init(name, properties)
  }

  private static func seen(_ name: String) -> [String: String] {
    let runs = Inquiry.isLink("/run/systemd/units/invocation:\(name)")
    let folders = ["/etc", "/usr/local/lib", "/usr/lib", "/lib"]
    let isInstalled = runs || folders.contains { Inquiry.exists("\($0)/systemd/system/\(name)") }
    return ["LoadState": isInstalled ? "loaded" : "not-found", "ActiveState": runs ? "active" : "inactive"]
  }

  var isInstalled: Bool { properties["LoadState"].map { $0 != "not-found" } ?? false }
  var runs: Bool { ["active", "activating", "reloading"].contains(properties["ActiveState"]) }
  var isStarting: Bool { properties["ActiveState"] == "activating" }
  var hasFailed: Bool { properties["ActiveState"] == "failed" }

  /// Whether it is to run from the next start, or login, on.
  var isEnabled: Bool { properties["UnitFileState"]?.hasPrefix("enabled") ?? false }
}
