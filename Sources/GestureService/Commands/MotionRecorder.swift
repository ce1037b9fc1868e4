import Gestures
import Glibc
import InputDevices
import Platform

/// `tally-inputd record` of an accelerometer: what it feels, as lines of seconds and m/s² on standard output.
enum MotionRecorder {
  /// Records until SIGINT or SIGTERM, or until the sensor is gone.
  static func run(_ node: DeviceNode) throws {
    ServiceProcess.ignoreBrokenPipes()
    let loop = try EventLoop()
    var first: Int64?
    let listener = try MotionListener(
      loop: loop, node: node,
      onSamples: { samples in
        let begun = first ?? samples.first?.time ?? 0
        first = begun
        let lines = samples.map { sample in
          AccelerationRecording.line(
            for: AccelerationSample(time: sample.time &- begun, x: sample.x, y: sample.y, z: sample.z)) + "\n"
        }
        StandardOutput.write(lines.joined())
      },
      onEnd: { reason in
        ServiceProcess.log(.notice, "The recording ends here: \(reason).")
        loop.exit()
      })
    let ends = try [SIGINT, SIGTERM].map { try loop.onSignal($0) { loop.exit() } }
    StandardOutput.write(AccelerationRecording.header + "\n")
    ServiceProcess.log(.notice, "Recording \(node.path) (\(CauseText.device(node.description.name))); Ctrl-C ends it.")
    _ = try withExtendedLifetime((listener, ends)) { try loop.run() }
  }
}
