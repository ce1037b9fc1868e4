import Gestures
import InputDaemon
import InputDevices
import Linux

/// A device that a command reads without grabbing it. While a gesture daemon has grabbed the device, its events come
/// from that daemon.
final class DeviceListener {
  let node: DeviceNode
  let device: EvdevDevice
  private let relay: RelayClient?
  private var source: DescriptorSource?

  /// - Parameters:
  ///   - relay: receives the device's events while a daemon has grabbed it.
  ///   - onFrame: receives each frame.
  ///   - onEnd: called once when the device cannot be read any more.
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

  /// Opens a device that the command requires. The error contains the command for a missing permission.
  convenience init(
    needing node: DeviceNode, loop: EventLoop, relay: RelayClient? = nil,
    onFrame: @escaping (DeviceListener, Frame) -> Void, onEnd: @escaping (DeviceListener, DeviceError) -> Void
  ) throws {
    if case .denied(let denial) = NodeAccess(of: node.path) { throw Unreadable(denial: denial) }
    try self.init(loop: loop, node: node, relay: relay, onFrame: onFrame, onEnd: onEnd)
  }

  /// The sentence for the person if another program has grabbed the device and its events are not relayed; `nil` if
  /// they arrive. Must be called after ``RelayClient/waitForReports()``.
  ///
  /// Only an attempt to grab the device reveals this. During the attempt no other program receives its events.
  func silence() -> String? {
    guard relay?.hears(node) != true else { return nil }
    do throws(DeviceError) {
      // The descriptor is released at once, and the grab with it.
      _ = try device.grab()
      device.ungrab()
      return nil
    } catch {
      return """
        \(node.label) is grabbed by another program, which passes nothing on to this \
        one. If that is a gesture daemon, run this command as its user or as root; otherwise stop that program.
        """
    }
  }

  /// Another program has grabbed the device.
  struct Silent: Error, CustomStringConvertible { let description: String }

  struct Unreadable: Error, CustomStringConvertible {
    let denial: NodeAccess.Denial
    var description: String { "\(denial.reason) To mend it: \(denial.remedy)" }
  }
}
