import Gestures
import InputDevices
import Linux

/// An accelerometer that a command reads: a sensor of the machine or an event node.
final class MotionListener {
  private var sensor: MotionSensor?
  private var device: DeviceListener?
  private var relay: RelayClient?
  private var frames: AccelerationFrames?

  /// - Parameters:
  ///   - onSamples: receives the samples, oldest first, as the device states them.
  ///   - onEnd: receives the reason why no more samples will come, as a clause.
  /// - Throws: if the sensor cannot be read; the error contains the fix.
  init(
    loop: EventLoop, node: DeviceNode, onSamples: @escaping ([AccelerationSample]) -> Void,
    onEnd: @escaping (String) -> Void
  ) throws {
    // Without this, a signal that ends the program would leave the sensor enabled.
    ServiceProcess.ignoreWriteSignals()
    guard !node.description.isSensor else {
      let sensor = try MotionSensor(
        loop: loop, folder: SensorFolder(of: node), node: node.path, patience: 20, onSamples: onSamples,
        onEnd: { onEnd("\($0)") })
      self.sensor = sensor
      if case .polled(let reason) = sensor.mode {
        ServiceProcess.log(.notice, "\(node.path) is read by polling: \(reason).")
      }
      return
    }
    relay = try RelayClient(loop: loop) { ServiceProcess.log(.notice, $0) }
    device = try DeviceListener(
      needing: node, loop: loop, relay: relay,
      onFrame: { [unowned self] _, frame in
        let samples = frames?.samples(frame) ?? []
        if !samples.isEmpty { onSamples(samples) }
      }, onEnd: { _, error in onEnd("\(error)") })
    frames = device.flatMap { AccelerationFrames($0.device.description) }
    if let state = device?.device.state() { _ = frames?.samples(state) }
  }
}
