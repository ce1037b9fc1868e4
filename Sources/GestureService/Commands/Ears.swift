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
  private var recognizers: [String: DeviceRecognizer] = [:]

  /// - Parameter onHeard: runs for each gesture.
  init(loop: EventLoop, nodes: [DeviceNode], onHeard: @escaping (Heard) -> Void) {
    for node in nodes {
      do {
        let listener = try DeviceListener(
          loop: loop, node: node,
          onFrame: { [unowned self] listener, frame in
            for gesture in recognizers[node.syspath]?.handle(frame) ?? [] {
              onHeard(Heard(node: node, description: listener.device.description, gesture: gesture))
            }
          },
          onEnd: { [unowned self] listener, _ in
            listeners.removeAll { $0 === listener }
            recognizers[node.syspath] = nil
          })
        var recognizer = DeviceRecognizer(description: listener.device.description)
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
}
