import Bindings
import Gestures
import InputDevices
import Platform

/// Listens to many devices at once and tells what is done with them, bound to something or not.
final class Ears {
  /// Something that was done, and where.
  struct Heard {
    let node: DeviceNode
    let description: DeviceDescription
    let gesture: Gesture
  }

  /// Nodes that may not be read.
  private(set) var denied: [DeviceNode] = []
  private(set) var listeners: [DeviceListener] = []
  private let loop: EventLoop
  private let onFrame: (DeviceNode, Frame) -> Void
  private let configuration: Configuration
  private let onHeard: (Heard) -> Void
  private let onEnd: (DeviceNode, DeviceError) -> Void
  private var recognizers: [String: CuriousRecognizer] = [:]
  private var deadline: TimerSource?

  /// - Parameters:
  ///   - configuration: what is recognised beside what always is.
  ///   - onFrame: runs for each frame, before what is recognised in it.
  ///   - onHeard: runs for each gesture.
  ///   - onEnd: runs when a device is gone.
  init(
    loop: EventLoop, configuration: Configuration = .standard,
    onFrame: @escaping (DeviceNode, Frame) -> Void = { _, _ in },
    onHeard: @escaping (Heard) -> Void, onEnd: @escaping (DeviceNode, DeviceError) -> Void = { _, _ in }
  ) throws(SystemError) {
    self.loop = loop
    self.configuration = configuration
    self.onFrame = onFrame
    self.onHeard = onHeard
    self.onEnd = onEnd
    deadline = try loop.timer { [unowned self] in waited() }
  }

  /// Listens to these as well, where they may be read and are not listened to yet.
  func listen(to nodes: [DeviceNode]) {
    denied = []
    for node in nodes where recognizers[node.syspath] == nil && !node.description.isSensor {
      do {
        let listener = try DeviceListener(
          loop: loop, node: node,
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
        var recognizer = CuriousRecognizer(description, by: configuration.preview(of: description))
        _ = recognizer.handle(listener.device.state())
        recognizers[node.syspath] = recognizer
        listeners.append(listener)
      } catch DeviceError.denied {
        denied.append(node)
      } catch {
        // Gone again, or nothing that can be read.
      }
    }
  }

  private func tell(_ listener: DeviceListener, _ gestures: [Gesture]) {
    for gesture in gestures {
      onHeard(Heard(node: listener.node, description: listener.device.description, gesture: gesture))
    }
  }

  private func waited() {
    let now = Clock.boottime()
    for listener in listeners { tell(listener, recognizers[listener.node.syspath]?.advance(to: now) ?? []) }
    arm()
  }

  private func arm() {
    // The devices are read first: what they have is older.
    if let time = recognizers.values.compactMap(\.nextDeadline).min() { deadline?.arm(at: time) }
  }
}
