import Bindings
import Gestures
import InputDevices
import Linux

/// Keeps a session for every motion sensor of the machine with a bound shake; the others are not powered.
final class SensorSupervisor {
  private let loop: EventLoop
  private let onGestures: ([BoundGesture]) -> Void
  private var sessions: [String: (node: DeviceNode, session: SensorSession)] = [:]

  init(loop: EventLoop, onGestures: @escaping ([BoundGesture]) -> Void) {
    self.loop = loop
    self.onGestures = onGestures
  }

  var isEmpty: Bool { sessions.isEmpty }

  func stop() { sessions = [:] }

  /// Ignores, until `time`, the motion of sensors that a motor shakes.
  func ignore(_ motor: DeviceNode, until time: Int64) {
    for (node, session) in sessions.values where node.feels(motor) { session.ignore(until: time) }
  }

  /// Starts and ends sessions, so that exactly the selected sensors of `nodes` have one.
  func reconcile(with nodes: [DeviceNode], _ configuration: Configuration) {
    let present = Set(nodes.map(\.syspath))
    for (syspath, (node, _)) in sessions where !present.contains(syspath) {
      sessions[syspath] = nil
      say("is not in use any more: it is gone.", about: node, .notice)
    }
    for (node, use) in zip(nodes, configuration.uses(of: nodes)) { follow(node, use) }
  }

  private func follow(_ node: DeviceNode, _ use: Use) {
    switch (use, sessions[node.syspath]?.session) {
    case (.used(let rule), let session?):
      session.rebind(rule)
      session.reconsider()
    case (.used(let rule), nil):
      do throws(SystemError) {
        let session = try SensorSession(
          loop: loop, node: node, folder: SensorFolder(of: node), rule: rule, onGestures: onGestures)
        sessions[node.syspath] = (node, session)
      } catch {
        say("cannot be used: \(error).", about: node, .warning)
      }
    case (.unused(let reason), .some):
      sessions[node.syspath] = nil
      say("is not in use any more: \(reason).", about: node, .notice)
    case (.unused, nil): break
    }
  }

  private func say(_ sentence: String, about node: DeviceNode, _ level: ServiceProcess.LogLevel) {
    ServiceProcess.log(level, "\(node.title) \(sentence)")
  }
}
