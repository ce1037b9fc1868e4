import Bindings
import Gestures
import InputDaemon
import InputDevices
import Linux

/// Listens to several devices at once and reports their gestures, bound or not.
final class DeviceListenerSet {
  /// A gesture, and the device that made it.
  struct Heard {
    let node: DeviceNode
    let description: DeviceDescription
    let gesture: Gesture
  }

  /// Nodes that this process has no permission to read.
  private(set) var denied: [DeviceNode] = []
  private(set) var listeners: [DeviceListener] = []
  private let loop: EventLoop
  private let relay: RelayClient?
  private let onFrame: (DeviceNode, Frame) -> Void
  private let configuration: Configuration
  private let onHeard: (Heard) -> Void
  private let onReport: (DeviceNode, InputReport) -> Void
  private let onEnd: (DeviceNode, DeviceError) -> Void
  private var recognizers: [String: PreviewRecognizer] = [:]
  private var deadline: TimerSource?

  /// - Parameters:
  ///   - configuration: the bindings whose gestures are recognised in addition to the common ones.
  ///   - relay: receives devices that a gesture daemon has grabbed.
  ///   - onFrame: called for each frame, before its gestures are reported.
  ///   - onHeard: called for each gesture.
  ///   - onReport: called for each touch without a gesture, and for each contact that never moves.
  ///   - onEnd: called when a device is removed.
  init(
    loop: EventLoop, configuration: Configuration = .standard, relay: RelayClient? = nil,
    onFrame: @escaping (DeviceNode, Frame) -> Void = { _, _ in },
    onHeard: @escaping (Heard) -> Void, onReport: @escaping (DeviceNode, InputReport) -> Void = { _, _ in },
    onEnd: @escaping (DeviceNode, DeviceError) -> Void = { _, _ in }
  ) throws(SystemError) {
    self.loop = loop
    self.configuration = configuration
    self.relay = relay
    self.onFrame = onFrame
    self.onHeard = onHeard
    self.onReport = onReport
    self.onEnd = onEnd
    deadline = try loop.timer { [unowned self] in waited() }
  }

  /// Adds the devices that may be read and are not in the set yet.
  func listen(to nodes: [DeviceNode]) {
    denied = []
    for node in nodes where recognizers[node.syspath] == nil && !node.description.isSensor {
      do {
        let listener = try DeviceListener(
          loop: loop, node: node, relay: relay,
          onFrame: { [unowned self] listener, frame in
            onFrame(node, frame)
            tell(listener, recognizers[node.syspath]?.handle(frame) ?? [])
            arm()
          },
          onEnd: { [unowned self] listener, reason in
            recognizers[node.syspath] = nil
            onEnd(node, reason)
            listeners.removeAll { $0 === listener }
          })
        let description = listener.device.description
        var recognizer = PreviewRecognizer(description, by: configuration.preview(of: description))
        _ = recognizer.handle(listener.device.state())
        recognizers[node.syspath] = recognizer
        listeners.append(listener)
      } catch DeviceError.denied {
        denied.append(node)
      } catch {
        // The device was removed, or is not an input device: it is skipped.
      }
    }
  }

  private func tell(_ listener: DeviceListener, _ gestures: [Gesture]) {
    for gesture in gestures {
      onHeard(Heard(node: listener.node, description: listener.device.description, gesture: gesture))
    }
    for report in recognizers[listener.node.syspath]?.reports ?? [] { onReport(listener.node, report) }
  }

  private func waited() {
    let now = Clock.boottime()
    for listener in listeners { tell(listener, recognizers[listener.node.syspath]?.advance(to: now) ?? []) }
    arm()
  }

  private func arm() {
    // The loop reads the devices before it fires timers, because the devices' events are older.
    if let time = recognizers.values.compactMap(\.nextDeadline).min() { deadline?.arm(at: time) }
  }
}
