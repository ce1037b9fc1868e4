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
