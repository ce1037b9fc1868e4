import Platform

/// Whether systemd runs both daemons, and nobody runs them twice.
struct ServiceCheck {
  /// In the order in which they are stopped: while the socket listens, a client that connects starts the core again.
  private static let units = ["tally-inputd.service", "tallyd.socket", "tallyd.service"]

  static func findings(_ keeper: Keeper) -> [Finding] {
    guard Inquiry.hasSystemd else {
      return [.notice("services", "No systemd runs here: whoever wants the daemons starts them himself.")]
    }
    if keeper == .nobody {
      return [
        .notice(
          "services", "No units are installed: both daemons run only while somebody starts them.",
          mend: Installation.current.install)
      ]
    }
    return twice(keeper)
      + ["tallyd.socket", "tally-inputd.service"].map { finding(for: ServiceUnit($0, asking: keeper.asking), keeper) }
      + core(ServiceUnit("tallyd.service", asking: keeper.asking), keeper)
  }

  /// Each gesture daemon counts what it reads.
  static func twice(_ keeper: Keeper) -> [Finding] {
    guard keeper == .person(beside: true) else { return [] }
    let all = units.joined(separator: " ")
    return [
      .fault(
        "services", "Your own daemons and those of the machine run: each counts every press.",
        mend: "sudo systemctl disable --now \(all)",
        hint: "or, to keep those of the machine: systemctl --user disable --now \(all)")
    ]
  }

  static func finding(for unit: ServiceUnit, _ keeper: Keeper) -> Finding {
    let (name, systemctl) = (unit.name, keeper.telling)
    let state = unit.properties
    if !unit.isInstalled {
      return .fault("services", "\(name) is not installed.", mend: Installation.current.install)
    }
    if state["LoadState"] == "masked" {
      let runtime = state["UnitFileState"] == "masked-runtime" ? "--runtime " : ""
      return .fault(
        "services", "\(name) is masked: nobody can start it.",
        mend: "\(systemctl) unmask \(runtime)\(name) && \(systemctl) enable --now \(name)")
    }
    if unit.hasFailed {
      return .fault(
        "services", "\(name) has failed (\(state["Result"] ?? "unknown")); \(keeper.journal) -u \(name) says why.",
        mend: "\(systemctl) reset-failed \(name) tallyd.service && \(systemctl) start \(name)",
        hint: "when that has been mended which the journal says")
    }
    guard unit.runs else {
      return .fault("services", "\(name) does not run.", mend: "\(systemctl) enable --now \(name)")
    }
    if state["UnitFileState"] == "disabled" {
      let next = if case .person = keeper { "your next login" } else { "the next start of the machine" }
      return .notice("services", "\(name) runs, and will not after \(next).", mend: "\(systemctl) enable \(name)")
    }
    return .fine("services", "\(name) runs.")
  }

  /// The core may rest until somebody asks for it, but not have failed.
  private static func core(_ unit: ServiceUnit, _ keeper: Keeper) -> [Finding] {
    unit.hasFailed ? [finding(for: unit, keeper)] : []
  }
}
