import CoreAPI
import Tallymark

/// Checks the fleet of a core that has joined one: the bridge, and the troubles that `tally fleet` lists.
struct FleetCheck {
  let fleet: Counters.FleetReply
  let scope: ServiceScope
  /// The unit of the bridge; `nil` if systemd does not run the core.
  let bridge: ServiceUnit?

  /// - Parameter isNamed: whether the core's socket is not a default, so that systemd does not run the bridge.
  static func findings(_ fleet: Counters.FleetReply, _ scope: ServiceScope, isNamed: Bool) -> [Finding] {
    guard fleet.fleet != nil else { return [] }
    let bridge = isNamed || scope == .nobody ? nil : ServiceUnit("tally-mqttd.service", asking: scope.asking)
    return FleetCheck(fleet: fleet, scope: scope, bridge: bridge).findings
  }

  var findings: [Finding] {
    var troubles = FleetText(fleet).findings
    if fleet.isConnected, troubles.isEmpty {
      return [.fine("fleet", "This station is connected to the broker of the fleet \(fleet.fleet ?? "").")]
    }
    // Without the bridge, the other stations get no counts of this one.
    var findings: [Finding] = []
    if !fleet.isConnected {
      let trouble = troubles.removeFirst()
      findings.append(Finding(severity: .fault, about: "fleet", sentence: trouble, remedy: remedy(for: trouble)))
    }
    return findings + troubles.map { .notice("fleet", $0) }
  }

  /// The command that starts the bridge, or that shows why it is not connected.
  private func remedy(for trouble: String) -> Remedy? {
    // A running bridge has stated the fix, and a second bridge would perform each command again.
    if trouble.hasPrefix(FleetText.bridgeMark), bridge?.runs != true { return nil }
    guard let bridge else { return Remedy("tally-mqttd", hint: "if it does not run; it serves until Ctrl-C") }
    guard bridge.isInstalled else { return Installation.current.installBridge }
    guard bridge.runs else { return Remedy("\(scope.telling) enable --now \(bridge.name)") }
    return Remedy("\(scope.journal) -u \(bridge.name) -n 20", hint: "shows the attempts to connect")
  }
}
