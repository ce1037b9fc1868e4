import Feedback
import InputDevices

/// A motor, light or buzzer that performs the commands of its ``PlaybackQueue``. Calls may block.
protocol Actuator {
  mutating func perform(_ action: PlaybackQueue.Action) throws(DeviceError)

  /// Uploads effects for pulses of these lengths in milliseconds, so that the first pulse is not delayed.
  mutating func uploadEffects(_ pulses: Set<Int32>) throws(DeviceError)

  /// Switches the actuator off.
  mutating func rest()
}

extension Actuator {
  mutating func uploadEffects(_ pulses: Set<Int32>) throws(DeviceError) {}
  mutating func rest() {}
}

/// The motor of an input device. The device itself ends each pulse.
struct Motor: Actuator {
  let device: FeedbackDevice

  func perform(_ action: PlaybackQueue.Action) throws(DeviceError) {
    if case .step(let step) = action, step.level > 0 { try device.vibrate(milliseconds: step.milliseconds) }
  }

  func uploadEffects(_ pulses: Set<Int32>) throws(DeviceError) { try device.uploadEffects(pulses) }
}

/// A light of an input device. A light that is on goes off for the signal.
struct DeviceLight: Actuator {
  let device: FeedbackDevice
  let code: UInt16
  /// Whether the light was on before the pattern; nil while no pattern is played.
  private var former: Bool?

  init(device: FeedbackDevice, code: UInt16) {
    self.device = device
    self.code = code
  }

  mutating func perform(_ action: PlaybackQueue.Action) throws(DeviceError) {
    switch action {
    case .begin: former = try device.isOn(light: code)
    case .step(let step): try device.set(light: code, on: (former ?? false) != (step.level > 0))
    case .end:
      if let former { try device.set(light: code, on: former) }
      former = nil
    }
  }

  mutating func rest() {
    if former != nil { try? perform(.end) }
  }
}

/// The buzzer of an input device.
struct Buzzer: Actuator {
  let device: FeedbackDevice

  func perform(_ action: PlaybackQueue.Action) throws(DeviceError) {
    switch action {
    case .begin: break
    case .step(let step): try device.sound(hertz: step.level)
    case .end: try device.sound(hertz: 0)
    }
  }

  func rest() { try? device.sound(hertz: 0) }
}

/// A light of the kernel. If the kernel can, it plays whole rhythms or pulses itself.
struct KernelLight: Actuator {
  let light: SystemLight

  func perform(_ action: PlaybackQueue.Action) throws(DeviceError) {
    switch (action, light.trigger) {
    case (.begin(let pattern), .pattern): try light.blink(pattern.steps.map(\.milliseconds))
    case (.step(let step), .oneshot) where step.level > 0: try light.flash(milliseconds: step.milliseconds)
    case (.step(let step), .none): try light.set(on: step.level > 0)
    case (.end, .none): try light.set(on: false)
    default: break
    }
  }
}
