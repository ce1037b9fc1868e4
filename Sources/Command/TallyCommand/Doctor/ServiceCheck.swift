import Tallymark

/// Checks that systemd runs both daemons, and that they do not run twice.
struct ServiceCheck {
  /// The units in the order of a stop: while the socket listens, a connecting client starts the core again.
  private static let units = ["tally-inputd.service", "tallyd.socket", "tallyd.service"]

  static func findings(_ scope: ServiceScope) -> [Finding] {
    guard SystemProbe.hasSystemd else {
      return [.notice("services", "systemd is not running: start tallyd and tally-inputd by hand.")]
    }
    if scope == .nobody {
      return [
        .notice(
          "services", "No systemd units are installed: start tallyd and tally-inputd by hand.",
          mend: Installation.current.install)
      ]
    }
    return twice(scope)
      + ["tallyd.socket", "tally-inputd.service"].map { finding(for: ServiceUnit($0, asking: scope.asking), scope) }
      + core(ServiceUnit("tallyd.service", asking: scope.asking), scope)
  }

  /// The finding for two gesture daemons, which would count each press twice.
  static func twice(_ scope: ServiceScope) -> [Finding] {
    guard scope == .person(beside: true) else { return [] }
    let all = units.joined(separator: " ")
    return [
      .fault(
        "services", "Your own daemons and those of the system are running: each press is counted twice.",
        mend: "sudo systemctl disable --now \(all)",
        hint: "or, to keep those of the system: systemctl --user disable --now \(all)")
    ]
  }

  static func finding(for unit: ServiceUnit, _ scope: ServiceScope) -> Finding {
    let (name, systemctl) = (unit.name, scope.telling)
    let state = unit.properties
    if !unit.isInstalled {
      return .fault("services", "\(name) is not installed.", mend: Installation.current.install)
    }
    if state["LoadState"] == "masked" {
      let runtime = state["UnitFileState"] == "masked-runtime" ? "--runtime " : ""
      return .fault(
        "services", "\(name) is masked and cannot be started.",
        mend: "\(systemctl) unmask \(runtime)\(name) && \(systemctl) enable --now \(name)")
    }
    if unit.hasFailed {
      return .fault(
        "services", "\(name) has failed (\(state["Result"] ?? "unknown")); the reason: \(scope.journal) -u \(name).",
        mend: "\(systemctl) reset-failed \(name) tallyd.service && \(systemctl) start \(name)",
        hint: "after the reason in the journal is fixed")
    }
    guard unit.runs else {
      return .fault("services", "\(name) is not running.", mend: "\(systemctl) enable --now \(name)")
    }
    if state["UnitFileState"] == "disabled" {
      let next = if case .person = scope { "your next login" } else { "the next boot" }
      return .notice(
        "services", "\(name) is running, but will not start at \(next).", mend: "\(systemctl) enable \(name)")
    }
    return .fine("services", "\(name) is running.")
  }

  /// The findings for the core, which may be inactive until a client connects, but must not have failed.
  private static func core(_ unit: ServiceUnit, _ scope: ServiceScope) -> [Finding] {
    unit.hasFailed ? [finding(for: unit, scope)] : []
  }
}

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

/// Checks that all programs have the same version.
struct VersionCheck {
  static func findings() -> [Finding] {
    let install = Installation.current.install
    return ["tallyd", "tally-inputd"].map { program in
      let answer = SystemProbe.ask("\(program) --version")
      guard answer.isGood, let version = answer.output.split(whereSeparator: \.isWhitespace).last else {
        return .fault("versions", "The program \(program) is not in PATH.", mend: install)
      }
      return finding(for: program, String(version), mend: install)
    }
  }

  /// Compares a version with that of this program.
  static func finding(for what: String, _ version: String, mend remedy: Remedy) -> Finding {
    if version == Product.version { return .fine("versions", "\(what) is version \(version), like this program.") }
    return .fault(
      "versions", "\(what) is version \(version), but this program is version \(Product.version).", mend: remedy)
  }
}
