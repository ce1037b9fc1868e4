import Linux
import Tallymark

/// The manager of the daemons, which determines where the doctor looks and which commands fix problems.
enum ServiceScope: Equatable {
  /// The system's systemd.
  case machine
  /// The user's systemd; `beside`: whether the system's daemons are running as well.
  case person(beside: Bool)
  /// Started by hand: systemd is not running, or has no units of the daemons.
  case nobody

  static func find() -> ServiceScope {
    guard SystemProbe.hasSystemd else { return .nobody }
    let machine = ServiceUnit("tally-inputd.service", asking: "systemctl")
    // Root uses the system's core.
    if ServiceProcess.user != 0 {
      let own = ServiceUnit("tally-inputd.service", asking: "systemctl --user")
      if let scope = scope(own: own, machine: machine) { return scope }
    }
    let isInstalled = machine.isInstalled || ServiceUnit("tallyd.socket", asking: "systemctl").isInstalled
    return isInstalled ? .machine : .nobody
  }

  /// The scope of a user with separate daemons, judged by both gesture daemons; `nil` for a user without.
  static func scope(own: ServiceUnit, machine: ServiceUnit) -> ServiceScope? {
    if own.runs { return .person(beside: machine.runs) }
    // The user's enabled but stopped daemon is only a problem if the system's daemon does not count either.
    return (own.isEnabled || own.hasFailed) && !machine.runs ? .person(beside: false) : nil
  }

  /// The command that queries units.
  var asking: String { if case .person = self { "systemctl --user" } else { "systemctl" } }

  /// The command that controls units.
  var telling: String { if case .person = self { "systemctl --user" } else { "sudo systemctl" } }

  /// The command that shows the log of units.
  var journal: String { if case .person = self { "journalctl --user" } else { "sudo journalctl" } }

  /// The command that starts the core for the socket `place`.
  ///
  /// - Parameter isNamed: whether the path was given, and is not a default.
  func start(_ place: String, isNamed: Bool) -> Remedy {
    if isNamed { return Remedy("tallyd --socket \(Remedy.word(place))", hint: "it serves until Ctrl-C") }
    if self != .nobody { return Remedy("\(telling) restart tallyd.socket") }
    if case .checkout(let folder) = Installation.current {
      return Remedy("make -C \(Remedy.word(folder)) run", hint: "it counts until Ctrl-C")
    }
    return Remedy("tallyd", hint: "it serves until Ctrl-C, and tally-inputd beside it counts")
  }

  /// The command that leads to the permission for the socket `place`, which systemd sets for its own socket.
  func permit(_ place: String, isNamed: Bool) -> Remedy {
    if !isNamed, self != .nobody { return Remedy("\(telling) restart tallyd.socket") }
    return Remedy("namei -l \(Remedy.word(place))", hint: "it shows whose permission is missing; the owner can give it")
  }

  /// The command that restarts the core of the socket `place`.
  func restart(_ place: String, isNamed: Bool) -> Remedy {
    if !isNamed, self != .nobody { return Remedy("\(telling) restart tallyd.service") }
    let program = isNamed ? "tallyd --socket \(Remedy.word(place))" : "tallyd"
    return Remedy(program, hint: "after the core that uses this socket was stopped")
  }
}
