import Feedback
import InputDevices

/// Something that plays one kind of feedback, as its ``Turns`` tell it to. Calls may block.
protocol Instrument {
  mutating func perform(_ action: Turns.Action) throws(DeviceError)

  /// Makes ready for pulses of these lengths, so that the first one comes as fast as the others.
  mutating func teach(_ pulses: Set<Int32>) throws(DeviceError)

  /// Falls silent.
  mutating func rest()
}

extension Instrument {
  mutating func teach(_ pulses: Set<Int32>) throws(DeviceError) {}
  mutating func rest() {}
}

/// The motor of an input device, which ends each pulse by itself.
struct Motor: Instrument {
  let device: FeedbackDevice

  func perform(_ action: Turns.Action) throws(DeviceError) {
    if case .step(let step) = action, step.level > 0 { try device.vibrate(milliseconds: step.milliseconds) }
  }

  func teach(_ pulses: Set<Int32>) throws(DeviceError) { try device.teach(pulses) }
}

/// A light of an input device; one that is on goes off to be seen.
struct DeviceLight: Instrument {
  let device: FeedbackDevice
  let code: UInt16
  /// How it was before the piece that is played.
  private var former: Bool?

  init(device: FeedbackDevice, code: UInt16) {
    self.device = device
    self.code = code
  }

  mutating func perform(_ action: Turns.Action) throws(DeviceError) {
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
struct Buzzer: Instrument {
  let device: FeedbackDevice

  func perform(_ action: Turns.Action) throws(DeviceError) {
    switch action {
    case .begin: break
    case .step(let step): try device.sound(hertz: step.level)
    case .end: try device.sound(hertz: 0)
    }
  }

  func rest() { try? device.sound(hertz: 0) }
}

/// A light of the kernel's, which plays whole rhythms, or pulses, by itself where it can.
struct KernelLight: Instrument {
  let light: SystemLight

  func perform(_ action: Turns.Action) throws(DeviceError) {
    switch (action, light.trigger) {
    case (.begin(let piece), .pattern): try light.blink(piece.steps.map(\.milliseconds))
    case (.step(let step), .oneshot) where step.level > 0: try light.flash(milliseconds: step.milliseconds)
    case (.step(let step), .none): try light.set(on: step.level > 0)
    case (.end, .none): try light.set(on: false)
    default: break
    }
  }
}
