import Gestures
import Glibc
import InputDaemon
import InputDevices
import Linux
import Recordings

/// `tally-input record` of an accelerometer: its samples, as lines of seconds and m/s² on standard output.
enum MotionRecorder {
  /// Records until SIGINT, SIGTERM or SIGHUP, or until the sensor is gone or the reader closes the pipe.
  static func run(_ node: DeviceNode) throws {
    let loop = try EventLoop()
    // Before the sensor is enabled, because these handlers cause it to be disabled again.
    let ends = try [SIGINT, SIGTERM, SIGHUP].map { try loop.onSignal($0) { loop.exit() } }
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
    StandardOutput.write(AccelerationRecording.header + "\n")
    ServiceProcess.log(.notice, "Recording \(node.path) (\(CauseLabel.device(node.description.name))); Ctrl-C ends it.")
    _ = try withExtendedLifetime((listener, ends)) { try loop.run() }
  }
}
