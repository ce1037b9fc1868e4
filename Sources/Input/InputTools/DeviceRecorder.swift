import Bindings
import Gestures
import Glibc
import InputDaemon
import InputDevices
import Linux
import Recordings
import Tallymark

/// `tally-input record`: writes the reports of a device in evemu's text format to standard output, or the samples of an
/// accelerometer.
public enum DeviceRecorder {
  /// Records until SIGINT or SIGTERM, or until the device is gone or the reader closes the pipe.
  public static func run(_ choice: DeviceChoice) throws {
    let node = try choice.single(among: try DeviceInventory().nodes())
    if node.description.isAccelerometer { return try MotionRecorder.run(node) }
    guard node.description.deviceClass != .keyboard || choice.isPath else {
      throw UsageError(
        """
        \(node.title) is a keyboard by its own account. What is typed on \
        one is recorded only if it is named by its path: tally-input record \(node.path)
        """)
    }
    ServiceProcess.ignoreWriteSignals()
    let loop = try EventLoop()
    var text = RecordingText()
    let relay = try RelayClient(loop: loop) { ServiceProcess.log(.notice, $0) }
    let listener = try DeviceListener(
      needing: node, loop: loop, relay: relay,
      onFrame: { listener, frame in StandardOutput.write(text.frame(frame)) },
      onEnd: { _, error in
        ServiceProcess.log(.notice, "The recording ends here: \(error).")
        loop.exit()
      })
    let ends = try [SIGINT, SIGTERM].map { try loop.onSignal($0) { loop.exit() } }
    StandardOutput.write(text.head(listener.device.description))
    text.begin(listener.device.state())
    try relay.waitForReports()
    if let sentence = listener.silence() { throw DeviceListener.Silent(description: sentence) }
    ServiceProcess.log(.notice, "Recording \(node.title); Ctrl-C ends it.")
    _ = try withExtendedLifetime((listener, ends)) { try loop.run() }
  }
}

/// `tally-input record` of an accelerometer: its samples, as lines of seconds and m/s² on standard output.
enum MotionRecorder {
  /// Records until SIGINT, SIGTERM or SIGHUP, or until the sensor is gone or the reader closes the pipe.
  static func run(_ node: DeviceNode) throws {
    let loop = try EventLoop()
    // Installed before the sensor is enabled: the handlers end the loop, and so disable the sensor.
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
    ServiceProcess.log(.notice, "Recording \(node.title); Ctrl-C ends it.")
    _ = try withExtendedLifetime((listener, ends)) { try loop.run() }
  }
}
