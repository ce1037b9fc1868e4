import Gestures
import InputDevices
import Platform

/// A device that a command listens to without taking it from anybody.
final class DeviceListener {
  let node: DeviceNode
  let device: EvdevDevice
  private var source: DescriptorSource?

  /// - Parameters:
  ///   - onFrame: gets each frame.
  ///   - onEnd: runs once when the device cannot be read any more.
  /// - Throws: ``DeviceError``, or a ``SystemError``.
  init(
    loop: EventLoop, node: DeviceNode, onFrame: @escaping (DeviceListener, Frame) -> Void,
    onEnd: @escaping (DeviceListener, DeviceError) -> Void
  ) throws {
    self.node = node
    device = try EvdevDevice(node: node)
    source = try loop.watch(device.readiness, for: .readable, priority: .input) { [unowned self] _ in
      do throws(DeviceError) {
        try device.drain { onFrame(self, $0) }
      } catch {
        source = nil
        onEnd(self, error)
      }
    }
  }

  /// The same for a command that can do nothing without this device: tells what mends a missing permission.
  convenience init(
    needing node: DeviceNode, loop: EventLoop, onFrame: @escaping (DeviceListener, Frame) -> Void,
    onEnd: @escaping (DeviceListener, DeviceError) -> Void
  ) throws {
    if case .denied(let obstacle) = NodeAccess(of: node.path) { throw Unreadable(obstacle: obstacle) }
    try self.init(loop: loop, node: node, onFrame: onFrame, onEnd: onEnd)
  }

  struct Unreadable: Error, CustomStringConvertible {
    let obstacle: NodeAccess.Obstacle
    var description: String { "\(obstacle.reason) To mend it: \(obstacle.remedy)" }
  }
}
