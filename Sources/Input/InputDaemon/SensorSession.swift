package import Bindings
import Gestures
package import InputDevices
package import Linux
package import Tallymark

/// A motion sensor in use, from its discovery to its removal: turns samples into bound shakes, and restarts the
/// measurement after any failure.
///
/// ## Why a shake of a sensor has no identity
///
/// ``Delivery/identity`` shows a later process that a gesture which it recognises again has been delivered. A later
/// process never receives the samples of this one again: the kernel's buffer forgets a sample once it is read, and the
/// later process must disable the buffer, which empties it, before it can configure it. Polled values are not stored at
/// all. After a crash:
/// - A recognised shake is in the spool and counts once, if it is over when the next process begins.
/// - A shake that continues for four more strokes counts again.
/// - A shake that was not recognised yet counts if four strokes remain of it.
///
/// Samples in memory that outlives the process (as `EventMemory` does for event nodes) could solve the last two cases,
/// except for the time in which no process measures.
package final class SensorSession {
  private let loop: EventLoop
  private let node: DeviceNode
  private let folder: SensorFolder
  private let name: String
  private let onGestures: ([BoundGesture]) -> Void
  private var rule: AppliedRule
  private var sensor: MotionSensor?
  private var recognizer: ShakeRecognizer
  private var parameters: ShakeParameters
  private var scale = GravityScale()
  private var retry: TimerSource?
  private var backoff: Backoff
  /// The factor by which the sensor may be silent longer than usual: some sensors report nothing while they lie still.
  private var patience: Int64 = 1
  /// Log lines about the sensor, each written once while it is connected.
  package private(set) var said: Set<String> = []

  /// The time at which the sensor was last enabled.
  private var begun: Int64 = 0

  /// The time for which a sensor must work to be considered sound, in nanoseconds; other sensors are retried after
  /// longer and longer pauses.
  private static let steadiness: Int64 = 10_000_000_000
  private static let mostPatience: Int64 = 64

  /// - Parameters:
  ///   - folder: the sensor's folder in sysfs.
  ///   - backoff: the pauses between two attempts to use the sensor.
  ///   - onGestures: receives the bound shakes.
  package init(
    loop: EventLoop, node: DeviceNode, folder: SensorFolder, rule: AppliedRule,
    backoff: Backoff = Backoff(longest: 30_000_000_000), onGestures: @escaping ([BoundGesture]) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.node = node
    self.folder = folder
    self.rule = rule
    self.backoff = backoff
    self.onGestures = onGestures
    name = node.name
    parameters = rule.shake
    recognizer = ShakeRecognizer(parameters: rule.shake)
    retry = try loop.timer { [unowned self] in begin() }
    begin()
  }

  /// The present mode of measuring; nil while the sensor does not measure.
  package var mode: MotionSensor.Mode? { sensor?.mode }

  /// Applies another rule; a shake in progress is not counted again.
  func rebind(_ rule: AppliedRule) {
    self.rule = rule
    renew()
  }

  /// Tries an unreadable sensor again at once, because a device or a permission may have changed.
  func reconsider() {
    if sensor == nil { begin() }
  }

  /// Ignores motion until `time`, because the device itself vibrates.
  func ignore(until time: Int64) { recognizer.ignore(until: time) }

  private func begin() {
    retry?.disarm()
    do throws(SensorError) {
      let sensor = try MotionSensor(
        loop: loop, folder: folder, node: node.path, patience: patience,
        onSamples: { [unowned self] in take($0) }, onEnd: { [unowned self] in ended($0) })
      self.sensor = sensor
      begun = Clock.boottime()
      recognizer.cancel()
      switch sensor.mode {
      case .buffered: say("is in use: \(rule.source).", .info)
      case .polled(.unbuffered): say("is in use, by polling: \(rule.source).", .info)
      case .polled(let reason): say("is in use, by polling: \(reason).", .warning)
      }
      for warning in rule.warnings { say("is used, but \(warning).", .warning) }
    } catch {
      ended(error)
    }
  }

  private func ended(_ error: SensorError) {
    sensor = nil
    // Samples after the gap have no relation to earlier ones.
    recognizer.cancel()
    if error == .silent { patience = min(patience * 2, Self.mostPatience) }
    if error != .gone, error != .released { say("cannot be read as it should: \(error).", .warning) }
    retry?.arm(at: Clock.boottime() + backoff.next())
  }

  private func take(_ samples: [AccelerationSample]) {
    for sample in samples {
      let scaled = scale.scaled(sample) { recognizer.cancel() }
      guard let shake = recognizer.handle(scaled) else { continue }
      let gesture = Gesture(kind: .shake, time: shake.time)
      guard let action = rule.action(for: gesture) else { continue }
      onGestures([BoundGesture(gesture: gesture, action: action, device: name)])
    }
    if Clock.boottime() - begun > Self.steadiness { backoff.reset() }
    sayFactor()
    renew()
  }

  /// Replaces the recogniser. A shake in progress must not count twice after a change of the thresholds.
  private func renew() {
    guard parameters != rule.shake, recognizer.isAtRest else { return }
    parameters = rule.shake
    recognizer = ShakeRecognizer(parameters: parameters)
  }

  private func sayFactor() {
    guard scale.factor != 1 else { return }
    let felt = (GravityScale.gravity / scale.factor * 10).rounded() / 10
    say("measures \(felt) m/s² at rest instead of 9.8: its scale is wrong, and its readings are corrected.", .warning)
  }

  private func say(_ sentence: String, _ level: ServiceProcess.LogLevel) {
    guard said.insert(sentence).inserted else { return }
    ServiceProcess.log(level, "\(node.title) \(sentence)")
  }
}
