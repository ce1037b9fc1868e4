import Bindings
import Gestures
import Glibc
import Linux

/// The gesture daemon as a process: its devices, its connection to the core, its loop.
public final class GestureDaemon {
  /// The arguments of the daemon.
  public struct Settings: Sendable {
    /// The file of `--config`, if given.
    public var configurationFile: String?
    /// Sockets of the core; the first one with a listening core is used.
    public var sockets: [String]
    /// The producer's name. With one core, no two processes of a user may use the same name.
    public var producer: String
    /// Whether the keys of the terminal also count.
    public var takesTerminal: Bool

    public init(configurationFile: String?, sockets: [String], producer: String, takesTerminal: Bool) {
      self.configurationFile = configurationFile
      self.sockets = sockets
      self.producer = producer
      self.takesTerminal = takesTerminal
    }
  }

  private let settings: Settings
  private let loop: EventLoop
  private var configuration: LiveConfiguration?
  private var connection: CoreConnection?
  private var supervisor: DeviceSupervisor?
  private var feedback: FeedbackPlayer?
  private var relay: EventRelay?
  private var recent = DeliveryBuilder()
  private var terminal: TerminalSession?
  private var signals: [SignalSource] = []
  private var patience: TimerSource?
  private var code: Int32 = 0
  private var isEnding = false

  /// The time for which the daemon waits for the core's acknowledgements before it ends, in nanoseconds.
  private static let endingTime: Int64 = 1_000_000_000
  /// The time for which the daemon waits for feedback devices before it ends, in nanoseconds. Most need no time; the
  /// kernel needs a moment to restore the trigger of a light.
  private static let silencingTime: Int64 = 1_000_000_000

  /// Prepares everything except the devices, which are opened in ``run()``.
  ///
  /// - Throws: `ConfigurationErrors` among others, if the configuration is invalid.
  public init(_ settings: Settings) throws {
    self.settings = settings
    ServiceProcess.ignoreWriteSignals()
    loop = try EventLoop()
    patience = try loop.timer { [unowned self] in leave() }
    configuration = try LiveConfiguration(loop: loop, option: settings.configurationFile) { [unowned self] in
      feedback?.apply($0.feedback)
      supervisor?.apply($0)
    }
    // A closed terminal sends SIGHUP. Without a terminal, SIGHUP makes a daemon reload its configuration.
    let ends = settings.takesTerminal ? [SIGTERM, SIGINT, SIGHUP, SIGQUIT] : [SIGTERM, SIGINT]
    signals = try ends.map { signal in try loop.onSignal(signal) { [unowned self] in end() } }
    if !settings.takesTerminal {
      signals.append(try loop.onSignal(SIGHUP) { [unowned self] in configuration?.reload(isAskedFor: true) })
    }
    connection = try CoreConnection(
      loop: loop, paths: settings.sockets, producer: settings.producer, spool: Self.spool(settings)
    ) { [unowned self] reason in
      ServiceProcess.log(
        .error,
        "\(reason) Another gesture daemon of this user delivers as “\(settings.producer)”; give one of them another "
          + "--producer.")
      code = ConfigurationFile.wrongCode
      leave()
    }
    connection?.onAnswer = { [unowned self] delivery, outcome in
      // Parsing the events of a reply is costly, so it is skipped without feedback outputs.
      guard let feedback, feedback.hasOutputs, let outcome = outcome() else { return }
      feedback.became(outcome.outcomes(of: delivery), of: delivery.origin)
    }
  }

  private static let homeless =
    "this user has no folder for runtime files; set XDG_STATE_HOME to a folder that the user may write"

  /// The path of the spool; nil without a folder.
  private static func place(_ settings: Settings) -> String? {
    DaemonFolder().own.map { Spool.place(in: $0, producer: settings.producer, core: settings.sockets.first ?? "") }
  }

  /// The spool, which keeps deliveries beyond the end of this process; nil without a folder.
  private static func spool(_ settings: Settings) -> Spool? {
    guard let folder = DaemonFolder().own, let path = place(settings) else {
      ServiceProcess.log(.warning, "Undelivered gestures will be lost if this program ends: \(homeless).")
      return nil
    }
    do {
      try DaemonFolder.make(folder)
      return try Spool(path: path)
    } catch {
      ServiceProcess.log(.warning, "Undelivered gestures will be lost if this program ends: \(error).")
      return nil
    }
  }

  /// The socket for programs that do not receive grabbed devices; nil without a folder.
  private func makeRelay() -> EventRelay? {
    guard let spool = Self.place(settings) else {
      ServiceProcess.log(.warning, "tally-input cannot hear devices while they are grabbed: \(Self.homeless).")
      return nil
    }
    do {
      return try EventRelay(loop: loop, path: EventRelay.path(besideSpool: spool))
    } catch {
      ServiceProcess.log(.warning, "tally-input cannot hear devices while they are grabbed: \(error).")
      return nil
    }
  }

  /// Counts until SIGTERM, SIGINT, or `q` in the terminal; returns the exit code.
  public func run() throws -> Int32 {
    let configuration = configuration?.current ?? .standard
    if settings.takesTerminal { try beginTerminal(configuration) }
    feedback = FeedbackPlayer(configuration.feedback)
    feedback?.onVibration = { [unowned self] motor, end in supervisor?.ignoreMotion(from: motor, until: end) }
    relay = makeRelay()
    supervisor = try DeviceSupervisor(
      loop: loop, configuration: configuration, isAlone: !settings.takesTerminal, relay: relay,
      onGestures: { [unowned self] gestures, origin in deliver(gestures, from: origin) },
      onQuiet: { [unowned self] in connection?.forgetSeen(on: $0) },
      onDevices: { [unowned self] nodes, used in feedback?.see(nodes, used: used) })
    // Devices are opened before readiness is reported: a program that waits for readiness may press at once.
    supervisor?.look()
    try loop.keepWatchdog()
    ServiceProcess.notify("READY=1")
    _ = try loop.run()
    return code
  }

  private func beginTerminal(_ configuration: Configuration) throws {
    StandardOutput.line("Input devices:\n\(DeviceReport.text(try DeviceReport.all(configuration)))")
    terminal = try TerminalSession(
      loop: loop, onGestures: { [unowned self] in deliver($0, from: nil) }, onEnd: { [unowned self] in end() })
    StandardOutput.line(TerminalSession.help)
  }

  private func deliver(_ gestures: [BoundGesture], from origin: String?) {
    for gesture in gestures {
      let identity = origin.map { recent.identity(of: gesture, on: $0) }
      if let identity, let time = connection?.time(ofSeen: identity) {
        // The gesture was delivered by an earlier process. It is kept here, because a longer gesture may still
        // supersede it.
        _ = recent.delivery(for: gesture, boottime: gesture.gesture.time, wall: time)
        continue
      }
      let delivery = recent.delivery(
        for: gesture, boottime: Clock.boottime(), wall: Clock.microsecondsSince1970(), identity: identity)
      guard var delivery else { continue }
      delivery.origin = origin
      connection?.deliver(delivery)
    }
  }

  /// Closes the devices and the terminal, and waits a moment for the core's acknowledgements.
  private func end() {
    guard !isEnding else { return leave() }
    isEnding = true
    ServiceProcess.notify("STOPPING=1")
    supervisor?.stop()
    relay?.close()
    terminal?.stop()
    guard let connection, connection.unacknowledged > 0 else { return leave() }
    connection.onDrained = { [unowned self] in leave() }
    patience?.arm(at: Clock.boottime() + Self.endingTime)
  }

  private func leave() {
    terminal?.stop()
    feedback?.end(by: Clock.boottime() + Self.silencingTime)
    if let lost = connection?.unacknowledged, lost > 0 {
      let gestures = lost == 1 ? "1 gesture is" : "\(lost) gestures are"
      let fate =
        connection?.isKept == true
        ? "They are kept for the next start." : "They are lost: they could not be kept in a file."
      ServiceProcess.log(.warning, "\(gestures) not delivered yet. \(fate)")
    }
    loop.exit()
  }
}
