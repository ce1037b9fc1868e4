package import Bindings
package import Feedback
package import InputDevices
import Linux

/// Plays the configured feedback when a gesture has been recorded or refused: on the device that made the gesture, on
/// the configured substitutes, and on the loudspeaker.
///
/// No call waits for a device, because each device has its thread. Used by one thread only.
package final class FeedbackPlayer {
  private var settings: FeedbackSettings
  private var decisions: FeedbackRules
  private var nodes: [DeviceNode] = []
  private var used: Set<String> = []
  private var plan: OutputPlan
  /// The outputs by sysfs path.
  private var outputs: [String: OutputDevice] = [:]
  /// The system light that the configuration names, and its name.
  private var light: (name: String, output: OutputDevice)?
  private var loudspeaker: Loudspeaker?
  private var hasComplained = false
  /// Called before a motor runs, with the end of the vibration in nanoseconds of ``Clock/boottime()``.
  var onVibration: ((_ motor: DeviceNode, _ until: Int64) -> Void)?
  /// The running time of each motor, by sysfs path.
  private var vibrations: [String: Vibrations] = [:]

  package init(_ settings: FeedbackSettings) {
    self.settings = settings
    decisions = settings.decisions
    plan = OutputPlan([], used: [], settings: settings)
  }

  /// Applies new settings; devices that stay in use stay open.
  func apply(_ settings: FeedbackSettings) {
    guard settings != self.settings else { return }
    let isLightAnother = settings.light != self.settings.light
    self.settings = settings
    decisions = settings.decisions
    if isLightAnother { light = nil }
    // Another light of the same device needs another output.
    if isLightAnother { close(outputs.keys.filter { plan.channels[$0]?.contains(.light) ?? false }) }
    reconcile()
    for output in outputs.values { output.uploadEffects(decisions.pulses) }
  }

  /// Updates the list of devices; `used` has the sysfs paths of those in use.
  package func see(_ nodes: [DeviceNode], used: Set<String>) {
    self.nodes = nodes
    self.used = used
    reconcile()
  }

  var hasOutputs: Bool { !outputs.isEmpty || light != nil || loudspeaker != nil }

  /// Plays the feedback for the outcomes of a gesture of the device with the sysfs path `origin`.
  func became(_ outcomes: [Outcome], of origin: String?) {
    play(decisions.signal(for: outcomes), for: origin)
  }

  /// Plays a signal, without waiting.
  package func play(_ signal: Signal, for origin: String?) {
    if let pattern = signal.vibration { play(pattern, on: .vibration, for: origin) }
    if let pattern = signal.tone { play(pattern, on: .tone, for: origin) }
    if let pattern = signal.light {
      if let light { light.output.play(pattern, on: .light) } else { play(pattern, on: .light, for: origin) }
    }
    if let sound = signal.sound { loudspeaker?.play(sound) }
  }

  /// Whether any part of a signal has a working output.
  package func reaches(_ signal: Signal, for origin: String?) -> Bool {
    signal.sound != nil && loudspeaker != nil || signal.light != nil && light != nil
      || signal.vibration != nil && output(for: .vibration, origin) != nil
      || signal.light != nil && output(for: .light, origin) != nil
      || signal.tone != nil && output(for: .tone, origin) != nil
  }

  /// Closes all outputs, and waits for their ends until ``Clock/boottime()`` reaches `deadline`.
  package func end(by deadline: Int64) {
    for output in outputs.values { output.close() }
    light?.output.close()
    for output in outputs.values { output.end(by: deadline) }
    light?.output.end(by: deadline)
    loudspeaker?.end(by: deadline)
    (outputs, light, loudspeaker) = ([:], nil, nil)
  }

  private func play(_ pattern: Pattern, on channel: Channel, for origin: String?) {
    guard let (path, output) = output(for: channel, origin) else { return }
    output.play(pattern, on: channel)
    guard channel == .vibration, let motor = nodes.first(where: { $0.syspath == path }) else { return }
    let until = vibrations[path, default: Vibrations()].end(adding: pattern, at: Clock.boottime())
    onVibration?(motor, until)
  }

  private func output(for channel: Channel, _ origin: String?) -> (path: String, OutputDevice)? {
    plan.outputs(for: channel, origin: origin).lazy.compactMap { path in self.outputs[path].map { (path, $0) } }
      .first { $0.1.state == .working }
  }

  /// Opens the outputs that the plan adds, and closes those that it drops.
  private func reconcile() {
    let former = plan.channels
    plan = OutputPlan(nodes, used: used, settings: settings)
    vibrations = vibrations.filter { plan.channels[$0.key] != nil }
    close(outputs.keys.filter { plan.channels[$0] != former[$0] })
    for node in nodes {
      guard let channels = plan.channels[node.syspath] else { continue }
      if let output = outputs[node.syspath] {
        // Reopens only an output for which this process lacked permission and has it now.
        guard output.state == .denied, NodeAccess(of: node.path, for: .feedback) == .allowed else { continue }
      }
      outputs[node.syspath] = make { () throws(SystemError) in
        try OutputDevice(node, channels, settings, pulses: decisions.pulses)
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
    if light?.name == name, light?.output.state == .working { return }
    if light?.name == name, !SystemLight.isWritable(name) { return }
    light = make { () throws(SystemError) in (name, try OutputDevice(light: name)) }
  }

  private func close(_ paths: [String]) {
    for path in paths { outputs.removeValue(forKey: path)?.close() }
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
