import CLinux
import Clibevdev
public import Gestures
import Glibc
import Linux

/// The motor, the light and the buzzer of an input device.
///
/// Any call may block for as long as the device takes (the kernel holds a lock of the device meanwhile), so it must not
/// be made on an event loop. Used by one thread. Deinitialisation erases the uploaded effects.
public final class FeedbackDevice {
  private let descriptor: FileDescriptor
  /// The motor's effects, by their length in milliseconds.
  private var effects: [Int32: Int32] = [:]

  /// Opens the device at `path` for writing.
  ///
  /// - Throws: `denied` without permission, `gone` if the node does not exist.
  public init(path: String) throws(DeviceError) {
    // Effects need no read access.
    let number = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw DeviceError(.current("open \(path) for writing")) }
    descriptor = FileDescriptor(owning: number)
  }

  deinit {
    for effect in effects.values { _ = linux_effect_remove(descriptor.number, effect) }
  }

  /// Uploads effects for pulses of these lengths in milliseconds, and erases all others.
  ///
  /// - Throws: `failed` with `ENOSPC` if the device is full; the effects before that stay uploaded.
  public func uploadEffects(_ lengths: Set<Int32>) throws(DeviceError) {
    for (length, effect) in effects where !lengths.contains(length) {
      effects[length] = nil
      _ = linux_effect_remove(descriptor.number, effect)
    }
    for length in lengths.sorted() { _ = try effect(length) }
  }

  /// Vibrates once; the device ends the vibration by itself.
  public func vibrate(milliseconds: Int32) throws(DeviceError) {
    let effect = try effect(milliseconds)
    try write(UInt16(EV_FF), UInt16(truncatingIfNeeded: effect), 1, "let the motor vibrate")
  }

  public func isOn(light code: UInt16) throws(DeviceError) -> Bool {
    try asking("ask the device for its lights", linux_light_is_on(descriptor.number, code)) == 1
  }

  public func set(light code: UInt16, on: Bool) throws(DeviceError) {
    try write(UInt16(EV_LED), code, on ? 1 : 0, "switch the light")
  }

  /// Begins a tone, in hertz; 0 ends it.
  public func sound(hertz: Int32) throws(DeviceError) {
    try write(UInt16(EV_SND), UInt16(SND_TONE), hertz, "play a tone")
  }

  private func effect(_ length: Int32) throws(DeviceError) -> Int32 {
    if let known = effects[length] { return known }
    let uploaded = linux_rumble_upload(descriptor.number, UInt16(clamping: length))
    let effect = try asking("upload the effect to the motor", uploaded)
    effects[length] = effect
    return effect
  }

  private func write(_ type: UInt16, _ code: UInt16, _ value: Int32, _ attempt: String) throws(DeviceError) {
    _ = try asking(attempt, linux_event_write(descriptor.number, type, code, value))
  }

  private func asking(_ attempt: String, _ result: Int32) throws(DeviceError) -> Int32 {
    guard result >= 0 else { throw DeviceError(SystemError(attempt, code: result)) }
    return result
  }
}

extension DeviceDescription {
  /// Whether the device can vibrate by `FF_RUMBLE`, which all motors support.
  public var hasMotor: Bool { codes[UInt16(EV_FF)]?.contains(UInt16(FF_RUMBLE)) ?? false }

  public var hasBuzzer: Bool { codes[UInt16(EV_SND)]?.contains(UInt16(SND_TONE)) ?? false }

  /// The codes of the device's lights. Lights that do not show a keyboard's state come first.
  public var lights: [UInt16] {
    let order = [
      LED_MISC, LED_MAIL, LED_SCROLLL, LED_COMPOSE, LED_KANA, LED_SLEEP, LED_SUSPEND, LED_CHARGING, LED_MUTE, LED_CAPSL,
      LED_NUML,
    ].map { UInt16($0) }
    return order.filter { codes[UInt16(EV_LED)]?.contains($0) ?? false }
  }
}
