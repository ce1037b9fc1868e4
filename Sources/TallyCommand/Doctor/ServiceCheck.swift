/// Whether systemd runs both daemons.
struct ServiceCheck {
  /// The units as systemd has them; `nil` where no systemd runs.
  static func findings() -> [Finding] {
    guard Inquiry.exists("/run/systemd/system") else {
      return [.notice("services", "No systemd runs here: whoever wants the daemons starts them himself.")]
    }
    return ["tallyd.socket", "tally-inputd.service"].map { finding(for: $0, state(of: $0)) }
      + core(state(of: "tallyd.service"))
  }

  private static func state(of unit: String) -> [String: String] {
    Inquiry.properties("systemctl show -p LoadState,ActiveState,Result,UnitFileState \(unit)")
  }

  static func finding(for unit: String, _ state: [String: String]) -> Finding {
    switch (state["LoadState"], state["ActiveState"]) {
    case ("not-found", _):
      .notice(
        "services", "\(unit) is not installed: both daemons run only while somebody starts them.",
        mend: "sudo make install   (where Tallymark was built), or install the package")
    case ("masked", _):
      .fault("services", "\(unit) is masked: nobody can start it.", mend: "sudo systemctl unmask --now \(unit)")
    case (_, "failed"):
      .fault(
        "services", "\(unit) has failed (\(state["Result"] ?? "unknown")); journalctl -u \(unit) says why.",
        mend: "sudo systemctl reset-failed \(unit) tallyd.service && sudo systemctl start \(unit)")
    case (_, "active"), (_, "activating"), (_, "reloading"):
      state["UnitFileState"] == "disabled"
        ? .notice(
          "services", "\(unit) runs, and will not after the next start of the machine.",
          mend: "sudo systemctl enable \(unit)")
        : .fine("services", "\(unit) runs.")
    default:
      .fault("services", "\(unit) does not run.", mend: "sudo systemctl enable --now \(unit)")
    }
  }

  /// The core may rest until somebody asks for it, but not have failed.
  private static func core(_ state: [String: String]) -> [Finding] {
    state["ActiveState"] == "failed" ? [finding(for: "tallyd.service", state)] : []
  }
}
