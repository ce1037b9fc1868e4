import ArgumentParser
import CoreAPI
import Counting
import Fleet
import Glibc
import JSON
import Linux

/// `tally fleet`: counts the same counters with other stations.
struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Count the same counters at many stations, over an MQTT broker.",
    discussion: """
      Examples:
        tally fleet join mqtt://broker.local --fleet venue --station door1
        tally fleet share people
        tally fleet invite door2  (prints the line that adds another machine)
        tally fleet  (stations, counters, and what is wrong)
      """,
    subcommands: [Show.self, Join.self, Invite.self, Share.self, Adopt.self, Forget.self, Leave.self, Doctor.self],
    defaultSubcommand: Show.self)

  static let verbs = configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the stations and counters of the fleet, and what is wrong.",
      discussion: """
        With --json each station is a line. The one of this station, the first, has "own" and also the members of the \
        fleet: "fleet", "broker", "connected", "counters" with their IDs, "offers" and "problems". Outside of a fleet \
        the only line has "fleet":null.
        Example: tally fleet --json
        """)

    @OptionGroup var options: CommonOptions

    func run() throws {
      let fleet = FleetText(try CoreClient(options).call(.fleet()))
      for line in options.json ? fleet.json.map(\.description) : fleet.lines { Output.line(line) }
    }
  }

  struct Join: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Join a fleet, or change the broker, the name of this station and more.",
      discussion: """
        In a fleet, what is left out stays as it is. With the line of an invitation the station also counts what the \
        inviting one counts.
        Examples:
          tally fleet join mqtt://broker --fleet venue --station door1
          tally fleet join --station door2  (another name)
          tally fleet join tally:eyJi…  (the line that tally fleet invite has printed)
        """)

    @Argument(help: "The broker: mqtt://[USER[:PASSWORD]@]HOST[:PORT], or mqtts:// with TLS; or an invitation.")
    var url: String?
    @Option(help: "The fleet: a-z, 0-9 and “-”.") var fleet: String?
    @Option(help: "The name of this station, which no other one has: a-z, 0-9 and “-”.") var station: String?
    @Option(
      help: ArgumentHelp(
        "Certificates (PEM) of those who may vouch for the broker; “” for the system's.", valueName: "file"),
      completion: .file())
    var caFile: String?
    @Flag(inversion: .prefixedNo, help: "Let clients of the broker, such as Home Assistant, count here.")
    var commands: Bool?
    @OptionGroup var options: CommonOptions

    func run() throws {
      let invitation = url?.hasPrefix(FleetInvitation.scheme) == true ? url.flatMap(FleetInvitation.init) : nil
      if invitation == nil, url?.hasPrefix(FleetInvitation.scheme) == true {
        throw ValidationError("The invitation is not whole. Copy all of the line that tally fleet invite has printed.")
      }
      let core = try CoreClient(options)
      let before = try core.call(.fleet())
      _ = try core.call(
        .joinFleet(
          broker: invitation?.broker ?? url, fleet: fleet ?? invitation?.fleet, station: station ?? invitation?.station,
          authorities: try authorities() ?? invitation?.authorities, obeying: commands))
      if let invitation { return try accept(invitation, core) }
      let state = FleetText(try self.state(of: core) { $0.isConnected || $0.hasBridgeTrouble })
      let sentence =
        "This is the station \(state.fleet.station ?? "") of the fleet \(state.fleet.fleet ?? ""). "
        + state.nextSteps(after: before)
      for line in options.json ? state.json.map(\.description) : [sentence] { Output.line(line) }
      guard !state.fleet.isConnected, state.fleet.hasBridgeTrouble else { return }
      state.findings.forEach(Output.complain)
      throw CoreClient.refused
    }

    /// Waits until the fleet satisfies `isReady`, for a limited time; returns its last state.
    private func state(
      of core: CoreClient, seconds: Int = 3, until isReady: (Counters.FleetReply) -> Bool
    ) throws -> Counters.FleetReply {
      var fleet = try core.call(.fleet())
      for _ in 0..<seconds * 5 where !isReady(fleet) {
        usleep(200_000)
        fleet = try core.call(.fleet())
      }
      return fleet
    }

    private func authorities() throws -> String? {
      guard let caFile, !caFile.isEmpty else { return caFile }
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try FileContent.read(caFile, upTo: 1 << 20)
      } catch {
        throw ValidationError("--ca-file: \(error).")
      }
      guard let text = String(validating: bytes, as: UTF8.self), Membership.hasCertificate(text) else {
        throw ValidationError("--ca-file: \(caFile) has no line -----BEGIN CERTIFICATE-----; give certificates as PEM.")
      }
      return text
    }

    /// Waits for the broker, and adopts the counters of the invitation. Fails if one of them could not be adopted.
    private func accept(_ invitation: FleetInvitation, _ core: CoreClient) throws {
      func isThere(_ fleet: Counters.FleetReply) -> Bool {
        let known = Set(fleet.counters.map(\.id) + fleet.offers.map(\.id))
        return fleet.isConnected && known.isSuperset(of: invitation.counters)
      }
      let fleet = try state(of: core, seconds: 10, until: isThere)
      for offer in fleet.offers where invitation.counters.contains(offer.id) && offer.here == nil && !offer.isTaken {
        _ = try core.call(.adoptCounter(offer.id).caused(by: .init(producer: "tally")))
      }
      let state = FleetText(try core.call(.fleet()))
      for line in options.json ? state.json.map(\.description) : state.lines { Output.line(line) }
      let missing = state.missing(of: invitation.counters)
      missing.forEach(Output.complain)
      guard state.fleet.isConnected, missing.isEmpty else { throw CoreClient.refused }
    }
  }

  struct Invite: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the line by which another machine becomes a station and counts the shared counters.",
      discussion: """
        The line has the broker, its certificates, and a new password if this station has a user at the broker. It is \
        a secret until the station has joined. With --json it is "invitation", beside "station" and, if there is one, \
        "password".
        Example: tally fleet invite door2
        """)

    @Argument(help: "The name of the new station.") var station: String
    @OptionGroup var options: CommonOptions

    func run() throws {
      let fleet = try CoreClient(options).call(.fleet())
      guard let name = fleet.fleet, let broker = fleet.broker.flatMap({ try? BrokerURL($0) }) else {
        Output.complain(FleetText.none)
        throw CoreClient.refused
      }
      guard Membership.isName(station), !fleet.stations.contains(where: { $0.name == station }) else {
        throw ValidationError(
          "“\(station)” is no name for a new station: it has 1 to 32 of a-z, 0-9 and “-”, and no other station has it.")
      }
      if let advice = FleetInvitation.advice(against: broker) {
        Output.complain(advice)
        throw CoreClient.refused
      }
      let password = broker.user == nil ? nil : try Secret().text
      let invitation = FleetInvitation(
        broker: broker, password: password, fleet: name, station: station, authorities: fleet.authorities ?? "",
        counters: fleet.counters.map(\.id))
      guard invitation.word.utf8.count <= FleetInvitation.longest else {
        Output.complain(
          "The certificates are too long for a line. Give tally fleet join --ca-file only that of the broker's authority."
        )
        throw CoreClient.refused
      }
      if options.json {
        var members: JSONObject = ["invitation": .string(invitation.word), "station": .string(station)]
        members["password"] = password.map(JSON.string)
        return Output.line(JSON.object(members).description)
      }
      if let password {
        Output.line("At the broker, if it is mosquitto:")
        let account = "sudo mosquitto_passwd -b /etc/mosquitto/passwords \(station) \(password)"
        Output.line("  \(account) && sudo systemctl reload mosquitto")
      }
      Output.line("At \(station), where tally-mqttd runs:")
      Output.line("  tally fleet join \(invitation.word)")
    }
  }

  struct Share: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Share a counter with the fleet. Its count so far is its first.",
      discussion: "Example: tally fleet share people")

    @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
    @OptionGroup var options: CommonOptions

    func run() throws {
      let shared = try CoreClient(options).call(.shareCounter(name))
      if options.json {
        return Output.line(JSON.object(["name": .string(name), "id": .string(shared.id)]).description)
      }
      Output.line("The fleet counts \(name). At the other stations: tally fleet adopt \(name) --from-now, or --bring")
    }
  }

  struct Adopt: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Count a counter that another station shares.",
      discussion: """
        If this station has a counter of that name, --bring adds its count to the total, and --from-now drops it. \
        If a counter of another name was it before this station left the fleet, --as goes on with that one.
        Examples:
          tally fleet adopt people --from-now
          tally fleet adopt people --as visitors --bring
        """)

    @Argument(help: "The counter, or its ID.") var name: String
    @Flag(help: "Add the count that is here to the total.") var bring = false
    @Flag(help: "Drop the count that is here.") var fromNow = false
    @Option(name: .customLong("as"), help: ArgumentHelp("Its name here.", valueName: "new")) var newName: String?
    @OptionGroup var options: CommonOptions

    func run() throws {
      if bring, fromNow { throw ValidationError("Use either --bring or --from-now.") }
      let request = Counters.Request.adoptCounter(name, bring: bring ? true : fromNow ? false : nil, newName: newName)
      let core = try CoreClient(options)
      let before = try core.call(.list).counters.first { $0.name == newName ?? name }
      let adopted = try core.call(request.caused(by: .init(producer: "tally")))
      if options.json { return core.printJSON(EventLine(adopted.event)) }
      let event = adopted.event
      Output.line("\(event.counter) is counted by the fleet and stands at \(event.unit.text(event.value)) so far.")
      if let before, let now = try core.call(.list).counters.first(where: { $0.name == event.counter }) {
        let changes = FleetText.replaced(before, by: now)
        if !changes.isEmpty { Output.line("Replaced by those of the fleet: \(changes.joined(separator: ", ")).") }
      }
      Output.line("Totals and plots have the history of other stations within seconds, as it arrives.")
    }
  }

  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget a station that will not come back, at all stations. Its counts stay.",
      discussion: "Example: tally fleet forget door2")

    @Argument(help: "The station, which must not be online.") var station: String
    @OptionGroup var options: CommonOptions

    func run() throws {
      _ = try CoreClient(options).call(.forgetStation(station: station))
      guard !options.json else { return }
      Output.line("The fleet has forgotten \(station). Its counts stay, as those of others.")
    }
  }

  struct Leave: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Leave the fleet. The counters keep their values and are counted here alone.",
      discussion: "Example: tally fleet leave")

    @OptionGroup var options: CommonOptions

    func run() throws {
      let core = try CoreClient(options)
      let fleet = try core.call(.fleet())
      _ = try core.call(.leaveFleet)
      let unheard = fleet.counters.reduce(0 as Int64) { $0 &+ ($1.unheard ?? 0) }
      if options.json { return Output.line(JSON.object(["fleet": .null, "unheard": .int(unheard)]).description) }
      Output.line("This station has left the fleet\(fleet.fleet.map { " \($0)" } ?? "").")
      if unheard > 0 {
        let changes = FleetText.changes(unheard)
        Output.line("No other station has confirmed \(changes) of this one; the fleet lacks what did not arrive.")
      }
    }
  }

  struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Find out what is wrong with the fleet: bridge, broker, names, clocks and copies.",
      discussion: "Example: tally fleet doctor")

    @OptionGroup var options: CommonOptions

    func run() throws {
      let findings = FleetText(try CoreClient(options).call(.fleet())).findings
      if options.json {
        for finding in findings { Output.line(JSON.object(["problem": .string(finding)]).description) }
      } else {
        for line in findings.isEmpty ? ["Nothing is wrong with the fleet."] : findings { Output.line(line) }
      }
      if !findings.isEmpty { throw CoreClient.refused }
    }
  }
}
