import Bindings
import Gestures
import InputDevices
import Linux

/// Keeps a session for every connected, selected and readable device. A failure of one device does not affect others.
final class DeviceSupervisor {
  private let loop: EventLoop
  private var configuration: Configuration
  private let onGestures: ([BoundGesture], _ origin: String?) -> Void
  private let onQuiet: (_ origin: String) -> Void
  private let onDevices: ([DeviceNode], _ used: Set<String>) -> Void
  private let relay: EventRelay?
  /// The store in which device descriptors outlive this process; nil without one.
  private let store = DescriptorStore()
  private var watcher: DeviceWatcher?
  private let sensors: SensorSupervisor
  private var sessions: [String: (node: DeviceNode, session: DeviceSession)] = [:]
  /// The lines logged about connected devices that are not in use, by sysfs path; each is logged once.
  private var said: [String: String] = [:]
  /// Whether all devices that were connected at the start have been handled.
  private var hasLooked = false
  /// The times at which a press made devices connect, by the common part of their nodes.
  private var connections: [String: Int64] = [:]
  /// Devices that turned out to be unsuitable after they were opened.
  private var declined: Set<String> = []
  private var saysThatThereIsNone: Bool

  /// Looks for devices from the next turn of `loop` on.
  ///
  /// - Parameters:
  ///   - isAlone: whether there is no other way to count, so that the lack of a device is logged.
  ///   - relay: relays the events of grabbed devices.
  ///   - onGestures: receives the gestures and the sysfs path of the device; nil for a motion sensor.
  ///   - onQuiet: called with the sysfs path of a device when all its reports are delivered or spooled, so that a
  ///     restarted daemon will not recognise them again.
  ///   - onDevices: receives all devices whenever they may have changed, and the sysfs paths of those in use.
  init(
    loop: EventLoop, configuration: Configuration, isAlone: Bool, relay: EventRelay?,
    onGestures: @escaping ([BoundGesture], _ origin: String?) -> Void,
    onQuiet: @escaping (_ origin: String) -> Void,
    onDevices: @escaping ([DeviceNode], _ used: Set<String>) -> Void
  ) throws(SystemError) {
    saysThatThereIsNone = isAlone
    self.loop = loop
    self.configuration = configuration
    self.relay = relay
    self.onGestures = onGestures
    self.onQuiet = onQuiet
    self.onDevices = onDevices
    sensors = SensorSupervisor(loop: loop) { onGestures($0, nil) }
    watcher = try DeviceWatcher(loop: loop) { [unowned self] nodes in reconcile(with: nodes) }
  }

  /// Closes every device; no gesture is recognised any more.
  func stop() {
    watcher = nil
    for (_, session) in sessions.values {
      // The kept descriptor lets the next process continue the gestures in progress.
      if store == nil { session.finish() } else { session.releaseEvents() }
    }
    sessions = [:]
    sensors.stop()
  }

  /// Applies another configuration. Devices that remain in use stay open, and their held keys stay down.
  func apply(_ configuration: Configuration) {
    self.configuration = configuration
    declined = []
    for (syspath, (node, session)) in sessions {
      switch configuration.rule(for: session.description) {
      case .used(let rule):
        session.rebind(rule)
        if sessions[syspath] != nil { say("is in use: \(rule.source).", about: node, .info) }
      case .unused(let reason):
        end(syspath)
        say("is not in use any more: \(reason).", about: node, .notice)
      }
    }
    look()
  }

  /// Opens all selected devices, except those that udev is still initialising.
  func look() { watcher?.look() }

  /// Ignores, until `time`, the motion of accelerometers that a motor shakes.
  func ignoreMotion(from motor: DeviceNode, until time: Int64) {
    sensors.ignore(motor, until: time)
    for (node, session) in sessions.values where node.feels(motor) { session.ignoreMotion(until: time) }
  }

  private func reconcile(with all: [DeviceNode]) {
    sensors.reconcile(with: all.filter(\.description.isSensor), configuration)
    let nodes = all.filter { !$0.description.isSensor }
    let present = Set(nodes.map(\.syspath))
    for syspath in sessions.keys where !present.contains(syspath) { finish(syspath, .gone) }
    said = said.filter { present.contains($0.key) }
    declined.formIntersection(present)
    for node in nodes where sessions[node.syspath] == nil && !declined.contains(node.syspath) { consider(node) }
    hasLooked = true
    let names = Set(present.map { Self.name(of: $0) })
    store?.discard { !names.contains($0) }
    onDevices(nodes, Set(sessions.keys))
    if sessions.isEmpty, sensors.isEmpty, saysThatThereIsNone {
      saysThatThereIsNone = false
      ServiceProcess.log(
        .notice, "There is no device to count with yet (tally-input devices says why); waiting for one.")
    }
  }

  private func consider(_ node: DeviceNode) {
    let name = Self.name(of: node.syspath)
    let use = configuration.use(of: node)
    guard case .used = use else {
      store?.discard { $0 == name }
      if case .unused(.grabbedByPattern) = use {
        say("is not used: \(use).", about: node, .warning)
      } else if let suggestion = use.suggestion(for: node) {
        say("is not used: \(use). To count with it: \(suggestion)", about: node, .notice)
      }
      return
    }
    do {
      let device = try EvdevDevice(node: node, kept: store?.take(name) ?? [])
      switch configuration.rule(for: device.description) {
      case .used(let rule): try begin(node, device, rule)
      case .unused(let reason):
        declined.insert(node.syspath)
        store?.forget(name)
        say("is not used: \(reason).", about: node, .warning)
      }
    } catch DeviceError.gone {
      // The device was removed; the event of its removal follows.
    } catch DeviceError.denied(let error) {
      if case .denied(let denial) = NodeAccess(of: node.path) {
        say("may not be read yet. \(denial.reason) To mend it: \(denial.remedy)", about: node, .warning)
      } else {
        say("may not be read yet: \(error).", about: node, .warning)
      }
    } catch {
      say("cannot be used: \(error).", about: node, .warning)
    }
  }

  private func begin(_ node: DeviceNode, _ device: EvdevDevice, _ rule: AppliedRule) throws(SystemError) {
    keep(device, as: Self.name(of: node.syspath))
    let session = try DeviceSession(
      loop: loop, device: device, path: node.path, rule: rule, relayed: relay?.device(node.syspath),
      onGestures: { [unowned self] gestures in onGestures(gestures, node.syspath) },
      onQuiet: { [unowned self] in onQuiet(node.syspath) },
      onEnd: { [unowned self] error in
        finish(node.syspath, error)
        watcher?.refresh()
      })
    sessions[node.syspath] = (node, session)
    if rule.countsConnecting, hasLooked, !device.isContinued { connect(node, session) }
    for warning in rule.warnings {
      log("\(node.title): \(warning).", about: node, .warning)
    }
    say("is in use: \(rule.source).", about: node, .info)
  }

  /// Counts the press that made a device connect, once for all of its nodes.
  private func connect(_ node: DeviceNode, _ session: DeviceSession) {
    let now = Clock.boottime()
    connections = connections.filter { $0.value + DeviceSession.connectingTime > now }
    let first = connections[PhysicalDevice.key(of: node)]
    if first == nil { connections[PhysicalDevice.key(of: node)] = now }
    session.connected(at: first ?? now, counts: first == nil)
  }

  /// Makes the device outlive this process, so that the next one continues with it. Accelerometers are not kept:
  /// between two processes they report more than the kernel stores.
  private func keep(_ device: EvdevDevice, as name: String) {
    guard let store, !device.isContinued, !device.description.isAccelerometer else { return }
    store.forget(name)
    store.keep(device.descriptors, as: name)
  }

  /// The name of a descriptor, such as `input42/event5`: the kernel never assigns the first number twice.
  private static func name(of syspath: String) -> String {
    syspath.split(separator: "/").suffix(2).joined(separator: "/")
  }

  private func finish(_ syspath: String, _ reason: DeviceError) {
    guard let node = end(syspath) else { return }
    say("is not in use any more: \(reason).", about: node, .notice)
  }

  @discardableResult
  private func end(_ syspath: String) -> DeviceNode? {
    guard let (node, session) = sessions.removeValue(forKey: syspath) else { return nil }
    session.finish()
    session.ungrab()
    relay?.end(syspath)
    store?.forget(Self.name(of: syspath))
    return node
  }

  private func say(_ sentence: String, about node: DeviceNode, _ level: ServiceProcess.LogLevel) {
    guard said.updateValue(sentence, forKey: node.syspath) != sentence else { return }
    log("\(node.title) \(sentence)", about: node, level)
  }

  private func log(_ line: String, about node: DeviceNode, _ level: ServiceProcess.LogLevel) {
    // The fields allow a search: `journalctl TALLYMARK_DEVICE=/dev/input/event5`.
    let fields = ["TALLYMARK_DEVICE": node.path, "TALLYMARK_DEVICE_NAME": node.name]
    ServiceProcess.log(level, line, fields)
  }
}
