import Bindings
import Feedback
import InputDevices
import Loudspeaker
import Platform

/// Plays what the configuration has for it when a gesture has been recorded or refused: on the device that made the
/// gesture, on what is named for those that have nothing to answer with, and on the loudspeaker.
///
/// Nothing here waits for a device: each has a thread of its own. Used by one thread.
final class FeedbackPlayer {
  private var settings: FeedbackSettings
  private var decisions: FeedbackRules
  private var nodes: [DeviceNode] = []
  private var used: Set<String> = []
  private var plan: OutletPlan
  /// By sysfs path.
  private var outlets: [String: Outlet] = [:]
  /// The light of the kernel's that is named, and its name.
  private var light: (name: String, outlet: Outlet)?
  private var loudspeaker: Loudspeaker?
  private var hasComplained = false
  /// Gets each motor that is about to run, and until when it may, in nanoseconds of ``Clock/boottime()``.
  var onVibration: ((_ motor: DeviceNode, _ until: Int64) -> Void)?
  /// By sysfs path: until when the motors may run.
  private var vibrations: [String: Vibrations] = [:]

  init(_ settings: FeedbackSettings) {
    self.settings = settings
    decisions = settings.decisions
    plan = OutletPlan([], used: [], settings: settings)
  }

  /// Other settings are in force; what stays in use stays open.
  func apply(_ settings: FeedbackSettings) {
    guard settings != self.settings else { return }
    let isLightAnother = settings.light != self.settings.light
    self.settings = settings
    decisions = settings.decisions
    if isLightAnother { light = nil }
    // Another light of the same device takes another outlet.
    if isLightAnother { close(outlets.keys.filter { plan.channels[$0]?.contains(.light) ?? false }) }
    reconcile()
    for outlet in outlets.values { outlet.teach(decisions.pulses) }
  }

  /// These are the devices now, of which those at `used` are counted with.
  func see(_ nodes: [DeviceNode], used: Set<String>) {
    self.nodes = nodes
    self.used = used
    reconcile()
  }

  /// Something became of a gesture that the device at `origin` in sysfs made.
  func became(_ happenings: [Happening], of origin: String?) {
    play(decisions.signal(for: happenings), for: origin)
  }

  /// Never waits.
  func play(_ signal: Signal, for origin: String?) {
    if let piece = signal.vibration { play(piece, on: .vibration, for: origin) }
    if let piece = signal.tone { play(piece, on: .tone, for: origin) }
    if let piece = signal.light {
      if let light { light.outlet.play(piece, on: .light) } else { play(piece, on: .light, for: origin) }
    }
    if let sound = signal.sound { loudspeaker?.play(sound) }
  }

  /// Whether something of a signal would be felt, seen or heard.
  func reaches(_ signal: Signal, for origin: String?) -> Bool {
    signal.sound != nil && loudspeaker != nil || signal.light != nil && light != nil
      || signal.vibration != nil && outlet(for: .vibration, origin) != nil
      || signal.light != nil && outlet(for: .light, origin) != nil
      || signal.tone != nil && outlet(for: .tone, origin) != nil
  }

  /// Silences everything and waits for that until ``Clock/boottime()`` reaches `deadline`.
  func end(by deadline: Int64) {
    for outlet in outlets.values { outlet.close() }
    light?.outlet.close()
    for outlet in outlets.values { outlet.end(by: deadline) }
    light?.outlet.end(by: deadline)
    loudspeaker?.end(by: deadline)
    (outlets, light, loudspeaker) = ([:], nil, nil)
  }

  private func play(_ piece: Piece, on channel: Channel, for origin: String?) {
    guard let (path, outlet) = outlet(for: channel, origin) else { return }
    outlet.play(piece, on: channel)
    guard channel == .vibration, let motor = nodes.first(where: { $0.syspath == path }) else { return }
    let until = vibrations[path, default: Vibrations()].end(adding: piece, at: Clock.boottime())
    onVibration?(motor, until)
  }

  private func outlet(for channel: Channel, _ origin: String?) -> (path: String, Outlet)? {
    plan.outlets(for: channel, origin: origin).lazy.compactMap { path in self.outlets[path].map { (path, $0) } }
      .first { $0.1.state == .working }
  }
}

extension FeedbackPlayer {
  /// Opens what is wanted and not open, and lets go of what is not wanted any more.
  private func reconcile() {
    let former = plan.channels
    plan = OutletPlan(nodes, used: used, settings: settings)
    vibrations = vibrations.filter { plan.channels[$0.key] != nil }
    close(outlets.keys.filter { plan.channels[$0] != former[$0] })
    for node in nodes {
      guard let channels = plan.channels[node.syspath] else { continue }
      if let outlet = outlets[node.syspath] {
        // A permission that was missing is worth another try when it is there; the rest is not.
        guard outlet.state == .denied, NodeAccess(of: node.path, for: .feedback) == .allowed else { continue }
      }
      outlets[node.syspath] = make { () throws(SystemError) in
        try Outlet(node, channels, settings, pulses: decisions.pulses)
      }
    }
    reconcileLight()
    if !decisions.sounds {
      loudspeaker = nil
    } else if loudspeaker == nil {
      loudspeaker = make { () throws(SystemError) in try Loudspeaker() }
    }
  }

  private func reconcileLight() {
    guard let name = settings.systemLight(among: SystemLight.names()) else {
      light = nil
      return
    }
    if light?.name == name, light?.outlet.state == .working { return }
    if light?.name == name, !SystemLight.isWritable(name) { return }
    light = make { () throws(SystemError) in (name, try Outlet(light: name)) }
  }

  private func close(_ paths: [String]) {
    for path in paths { outlets.removeValue(forKey: path)?.close() }
  }

  private func make<Made>(_ body: () throws(SystemError) -> Made) -> Made? {
    do throws(SystemError) {
      return try body()
    } catch {
      if !hasComplained { ServiceProcess.log(.warning, "There is no feedback: \(error).") }
      hasComplained = true
      return nil
    }
  }
}
