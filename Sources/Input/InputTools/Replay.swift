public import Bindings
package import Gestures
import Glibc
import InputDaemon
import InputDevices
package import JSON
import Linux
import Recordings

/// `tally-input replay`: the gestures in a recording, with their actions.
public enum Replay {
  /// Prints one JSON line for each gesture of each device in the recording. For a device without a gesture it logs the
  /// reasons.
  ///
  /// - Parameters:
  ///   - path: the recording.
  ///   - devicePath: a file with the device's description, for recordings without one; nil for the file beside the
  ///     recording.
  ///   - keepsTime: whether to print each gesture with its delay after the first event.
  /// - Throws: ``RecordingError``, or a ``SystemError`` if a file cannot be read.
  public static func run(
    _ path: String, devicePath: String?, configuration: Configuration, keepsTime: Bool
  ) throws {
    let recordings = try RecordingFile.read(path)
    guard let first = recordings.compactMap(\.frames.first?.time).min() else {
      throw RecordingError("\(path) describes a device, and holds no events.")
    }
    if keepsTime, recordings.contains(where: { $0.frames.contains { isLate($0.time, since: first) } }) {
      throw RecordingError("\(path) lasts longer than a day; replay it with --as-fast-as-possible.")
    }
    let begun = Clock.boottime()
    func show(_ gesture: Gesture, _ action: Action?, of device: String? = nil) {
      if keepsTime { sleep(until: begun + (gesture.time - first)) }
      StandardOutput.line("\(line(gesture, action, since: first, of: device))")
    }
    var all: [(gesture: Gesture, action: Action?, device: String)] = []
    for recording in recordings {
      let device = try recording.device ?? RecordingFile.device(devicePath, beside: path)
      let reasons = play(recording.frames, of: device, by: configuration) { gesture, action in
        if recordings.count == 1 { show(gesture, action) } else { all.append((gesture, action, device.name)) }
      }
      for reason in reasons { ServiceProcess.log(.notice, "\(CauseLabel.device(device.name)): \(reason).") }
    }
    // Devices are replayed one after the other, so their gestures are sorted by time.
    all.sort { $0.gesture.time < $1.gesture.time }
    for (gesture, action, device) in all { show(gesture, action, of: device) }
  }

  /// Whether a replay in real time would take more than a day up to this event.
  private static func isLate(_ time: Int64, since first: Int64) -> Bool {
    let (way, overflow) = time.subtractingReportingOverflow(first)
    return overflow || way > 86_400_000_000_000
  }

  /// Prints one JSON line for each shake in a recording of an accelerometer, at once.
  ///
  /// - Throws: ``RecordingError``, or a ``SystemError`` if the file cannot be read.
  public static func runAccelerometer(_ path: String, configuration: Configuration) throws {
    let recording = try RecordingFile.acceleration(path)
    guard let first = recording.samples.first?.time else { return }
    let sensor = DeviceDescription(name: "accelerometer", properties: [EventCode.INPUT_PROP_ACCELEROMETER])
    let rule = configuration.preview(of: sensor)
    for shake in recording.shakes(rule.shake) {
      let gesture = Gesture(kind: .shake, time: shake.time)
      StandardOutput.line("\(line(gesture, rule.action(for: gesture), since: first))")
    }
  }

  /// Recognises the gestures in frames, by the times of the frames only.
  ///
  /// - Returns: the reasons why there is no gesture, as sentences without the full stop; empty if there is one.
  @discardableResult
  package static func play(
    _ frames: [Frame], of device: DeviceDescription, by configuration: Configuration,
    _ handle: (Gesture, Action?) -> Void
  ) -> [String] {
    let rule = configuration.preview(of: device)
    var recognizer = rule.recognizer(for: device)
    var isSilent = true
    // One line of each kind is logged.
    var told: Set<InputReport.Kind> = []
    var reasons = rule.warnings
    if case .unused(let reason) = configuration.rule(for: device) { reasons = [reason.description] }
    func take(_ gestures: [Gesture]) {
      if !gestures.isEmpty { isSilent = false }
      for gesture in gestures { handle(gesture, rule.action(for: gesture)) }
      reasons += recognizer.reports.filter { told.insert($0.kind).inserted }.map(\.sentence)
    }
    for frame in frames {
      while let time = recognizer.nextDeadline, time < frame.time { take(recognizer.advance(to: time)) }
      take(recognizer.handle(frame))
    }
    while let time = recognizer.nextDeadline { take(recognizer.advance(to: time)) }
    return isSilent ? reasons : []
  }

  /// One JSON object with `time` in seconds from the first event or sample, `gesture`, `fingers` unless the gesture is
  /// made with the whole device, the `key`, the `zone`, `x` and `y` as fractions of the surface, the `action` of the
  /// binding, if any, and the `device` if there are several.
  package static func line(
    _ gesture: Gesture, _ action: Action?, since first: Int64, of device: String? = nil
  ) -> JSON {
    let microseconds = (gesture.time &- first) / 1000
    var line: JSONObject = [
      "time": .float(Double(microseconds) / 1e6), "gesture": .string(gesture.kind.rawValue),
    ]
    if gesture.kind != .shake { line["fingers"] = .int(Int64(gesture.fingers)) }
    if let key = gesture.key { line["key"] = .string(EvdevKeys.name(of: key) ?? String(key)) }
    if !gesture.chord.isEmpty {
      line["keys"] = .array(gesture.chord.map { .string(EvdevKeys.name(of: $0.code) ?? String($0.code)) })
    }
    if !gesture.takesBack.isEmpty {
      line["takesBack"] = .array(gesture.takesBack.map { .string($0.kind.rawValue) })
    }
    if let zone = gesture.zone { line["zone"] = .string(zone) }
    if let isOn = gesture.isOn { line["on"] = .bool(isOn) }
    if let position = gesture.position {
      line["x"] = .float((position.x * 1e4).rounded() / 1e4)
      line["y"] = .float((position.y * 1e4).rounded() / 1e4)
    }
    if let action { line["action"] = .string(action.description) }
    if let device { line["device"] = .string(device) }
    return .object(line)
  }

  private static func sleep(until time: Int64) {
    // A signal may end the wait early.
    while true {
      let rest = time - Clock.boottime()
      guard rest > 0 else { return }
      var wait = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      nanosleep(&wait, nil)
    }
  }
}
