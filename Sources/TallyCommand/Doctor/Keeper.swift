import Platform

/// Who runs core and gesture daemon here: it decides where the doctor looks, and which command mends what it finds.
enum Keeper: Equatable {
  /// systemd, for the whole machine.
  case machine
  /// systemd, for the person who asks, as daemons of his own; `beside` says whether those of the machine run as well.
  case person(beside: Bool)
  /// Whoever starts them: no systemd runs, or it has no units of them.
  case nobody

  static func find() -> Keeper {
    guard Inquiry.hasSystemd else { return .nobody }
    let machine = ServiceUnit("tally-inputd.service", asking: "systemctl")
    // The machine's own core is root's as well.
    if ServiceProcess.user != 0 {
      let own = ServiceUnit("tally-inputd.service", asking: "systemctl --user")
      if let keeper = keeper(own: own, machine: machine) { return keeper }
    }
    let isInstalled = machine.isInstalled || ServiceUnit("tallyd.socket", asking: "systemctl").isInstalled
    return isInstalled ? .machine : .nobody
  }

  /// Whether a person has daemons of his own, by both gesture daemons; `nil` where he has not.
  static func keeper(own: ServiceUnit, machine: ServiceUnit) -> Keeper? {
    if own.runs { return .person(beside: machine.runs) }
    // What he asked for and does not run is at fault only where the machine's does not count either.
    return (own.isEnabled || own.hasFailed) && !machine.runs ? .person(beside: false) : nil
  }

  /// What asks systemd for its units.
  var asking: String { if case .person = self { "systemctl --user" } else { "systemctl" } }

  /// What tells systemd to do something with them.
  var telling: String { if case .person = self { "systemctl --user" } else { "sudo systemctl" } }

  /// What shows the journal of its units.
  var journal: String { if case .person = self { "journalctl --user" } else { "sudo journalctl" } }

  /// What starts the core where nobody listens at `place`.
  ///
  /// - Parameter isNamed: whether the place was said, and is no default.
  func start(_ place: String, isNamed: Bool) -> Remedy {
    if isNamed { return Remedy("tallyd --socket \(Remedy.word(place))", hint: "it serves until Ctrl-C") }
    if self != .nobody { return Remedy("\(telling) restart tallyd.socket") }
    if case .checkout(let folder) = Installation.current {
      return Remedy("make -C \(Remedy.word(folder)) run", hint: "it counts until Ctrl-C")
    }
    return Remedy("tallyd", hint: "it serves until Ctrl-C, and tally-inputd beside it counts")
  }

  /// What starts the core anew that serves at `place`.
  func restart(_ place: String, isNamed: Bool) -> Remedy {
    if !isNamed, self != .nobody { return Remedy("\(telling) restart tallyd.service") }
    let program = isNamed ? "tallyd --socket \(Remedy.word(place))" : "tallyd"
    return Remedy(program, hint: "once the core that serves there has been ended")
  }
}
