package import Bindings
import Gestures
package import InputDevices
package import Platform

/// A motion sensor in use, from being found until it is gone: what it feels in, bound shakes out. It comes back by itself
/// whatever ends its measuring.
package final class SensorSession {
  private let loop: EventLoop
  private let node: DeviceNode
  private let folder: SensorFolder
  private let name: String
  private let onGestures: ([BoundGesture]) -> Void
  private var rule: AppliedRule
  private var sensor: MotionSensor?
  private var recognizer: ShakeRecognizer
  /// The parameters and the range that the recogniser has.
  private var settings: (parameters: ShakeParameters, range: Double?)
  private var scale = GravityScale()
  private var retry: TimerSource?
  private var backoff = Backoff(longest: 30_000_000_000)
  /// How many times longer than usual the sensor may be silent: some tell nothing while they lie still, whatever they
  /// were asked.
  private var patience: Int64 = 1
  /// What was said about it; once each for as long as it is there.
  package private(set) var said: Set<String> = []

  /// When it was switched on last.
  private var begun: Int64 = 0

  /// What has worked for so long, in nanoseconds, works; what has not is tried more and more rarely.
  private static let steadiness: Int64 = 10_000_000_000
  private static let mostPatience: Int64 = 64

  /// - Parameters:
  ///   - folder: the sensor's in sysfs.
  ///   - onGestures: gets the bound shakes.
  package init(
    loop: EventLoop, node: DeviceNode, folder: SensorFolder, rule: AppliedRule,
    onGestures: @escaping ([BoundGesture]) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.node = node
    self.folder = folder
    self.rule = rule
    self.onGestures = onGestures
    name = CauseText.device(node.description.name)
    settings = (rule.shake, nil)
    recognizer = ShakeRecognizer(parameters: rule.shake)
    retry = try loop.timer { [unowned self] in begin() }
    begin()
  }

  /// How it measures; nil while it does not.
  package var mode: MotionSensor.Mode? { sensor?.mode }

  /// Goes on by another rule; a shake that is under way is still the one that it was.
  func rebind(_ rule: AppliedRule) {
    self.rule = rule
    renew()
  }

  /// Something about devices has changed, perhaps a permission: tries again at once where the sensor cannot be read.
  func reconsider() {
    if sensor == nil { begin() }
  }

  /// The device itself vibrates until then, which is no shake.
  func ignore(until time: Int64) { recognizer.ignore(until: time) }

  private func begin() {
    retry?.disarm()
    do throws(SensorError) {
      let sensor = try MotionSensor(
        loop: loop, folder: folder, node: node.path, patience: patience,
        onSamples: { [unowned self] in take($0) }, onEnd: { [unowned self] in ended($0) })
      self.sensor = sensor
      begun = Clock.boottime()
      settings.range = sensor.range
      recognizer.cancel()
      switch sensor.mode {
      case .buffered: say("is in use: \(rule.source).", .info)
      case .polled(.unbuffered): say("is in use, asked for its values one by one: \(rule.source).", .info)
      case .polled(let reason): say("is in use, asked for its values one by one: \(reason).", .warning)
      }
    } catch {
      ended(error)
    }
  }

  private func ended(_ error: SensorError) {
    sensor = nil
    // What was felt before has nothing to do with what will be.
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

  /// Nothing that is under way may count twice because what a shake must be like has changed.
  private func renew() {
    let range = settings.range.map { $0 * scale.factor }
    let isOutdated = settings.parameters != rule.shake || range != recognizer.range
    guard isOutdated, recognizer.isAtRest else { return }
    settings.parameters = rule.shake
    recognizer = ShakeRecognizer(parameters: rule.shake, range: range)
  }

  private func sayFactor() {
    guard scale.factor != 1 else { return }
    let felt = (GravityScale.gravity / scale.factor * 10).rounded() / 10
    say("feels \(felt) m/s² at rest instead of 9.8: its scale is wrong, and what it says is put right.", .warning)
  }

  private func say(_ sentence: String, _ level: ServiceProcess.LogLevel) {
    guard said.insert(sentence).inserted else { return }
    ServiceProcess.log(level, "\(node.path) (\(name)) \(sentence)")
  }
}
