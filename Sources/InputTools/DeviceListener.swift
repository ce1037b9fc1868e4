import Gestures
import InputDevices
import Platform

/// A device that a command listens to without taking it from anybody. While a gesture daemon has grabbed the device, its
/// events come from that daemon.
final class DeviceListener {
  let node: DeviceNode
  let device: EvdevDevice
  private let relay: RelayClient?
  private var source: DescriptorSource?

  /// - Parameters:
  ///   - relay: hears the device while it is grabbed.
  ///   - onFrame: gets each frame.
  ///   - onEnd: runs once when the device cannot be read any more.
  /// - Throws: ``DeviceError``, or a ``SystemError``.
  init(
    loop: EventLoop, node: DeviceNode, relay: RelayClient? = nil,
    onFrame: @escaping (DeviceListener, Frame) -> Void, onEnd: @escaping (DeviceListener, DeviceError) -> Void
  ) throws {
    self.node = node
    self.relay = relay
    device = try EvdevDevice(node: node)
    source = try loop.watch(device.readiness, for: .readable, priority: .input) { [unowned self] _ in
      do throws(DeviceError) {
        try device.drain { onFrame(self, $0) }
      } catch {
        source = nil
        relay?.forget(node)
        onEnd(self, error)
      }
    }
    relay?.listen(to: node) { [unowned self] in onFrame(self, $0) }
  }

  deinit { relay?.forget(node) }

  /// The same for a command that can do nothing without this device: tells what mends a missing permission.
  convenience init(
    needing node: DeviceNode, loop: EventLoop, relay: RelayClient? = nil,
    onFrame: @escaping (DeviceListener, Frame) -> Void, onEnd: @escaping (DeviceListener, DeviceError) -> Void
  ) throws {
    if case .denied(let denial) = NodeAccess(of: node.path) { throw Unreadable(denial: denial) }
    try self.init(loop: loop, node: node, relay: relay, onFrame: onFrame, onEnd: onEnd)
  }

  struct Unreadable: Error, CustomStringConvertible {
    let denial: NodeAccess.Denial
    var description: String { "\(denial.reason) To mend it: \(denial.remedy)" }
  }
}
