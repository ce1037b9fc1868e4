import Glibc
import Linux

/// A light of `/sys/class/leds`.
///
/// Blinks by the kernel's triggers if available, so that no rhythm depends on the timing of this process: `pattern`
/// plays any rhythm, `oneshot` single pulses. Writing may block, so it must not be done on an event loop.
/// Deinitialisation restores the light's former state.
public final class SystemLight {
  /// The trigger that makes the light blink.
  public enum Trigger: String, Sendable {
    case pattern, oneshot
    /// Neither is available: the caller switches the light on and off.
    case none
  }

  /// The kernel's folder of lights.
  public static let folder = "/sys/class/leds"

  public let trigger: Trigger
  private let path: String
  private let brightest: String
  private let former: (trigger: String?, brightness: String?)

  /// The time for udev to permit access to a trigger's files, in nanoseconds: a busy machine takes seconds.
  private static let patience: Int64 = 10_000_000_000

  public static func names(in folder: String = folder) -> [String] {
    FolderContent.names(in: folder).filter { !$0.hasPrefix(".") }
  }

  /// Whether this process may switch a light.
  public static func isWritable(_ name: String, in folder: String = folder) -> Bool {
    unsafe access("\(folder)/\(name)/brightness", W_OK) == 0
  }

  /// - Throws: `denied` without write permission, `gone` if the light does not exist.
  public init(name: String, in folder: String = SystemLight.folder) throws(DeviceError) {
    path = "\(folder)/\(name)"
    brightest = Sysfs.read("\(path)/max_brightness") ?? "1"
    let triggers = (Sysfs.read("\(path)/trigger") ?? "").split(separator: " ").map(String.init)
    let inForce = triggers.first { $0.hasPrefix("[") }.map { String($0.dropFirst().dropLast()) }
    former = (inForce, Sysfs.read("\(path)/brightness"))
    let wanted = [Trigger.pattern, .oneshot].first { candidate in
      triggers.contains { $0 == candidate.rawValue || $0 == "[\(candidate.rawValue)]" }
    }
    var trigger = Trigger.none
    do throws(DeviceError) {
      try Self.write(wanted?.rawValue ?? "none", to: "\(path)/trigger")
      // The files belong to the trigger, and udev permits access to the files a moment after they appear.
      if let wanted, wanted != .none, Self.waitsForFiles(of: wanted, at: path) { trigger = wanted }
    } catch .denied {
      // This is not an error: access to the brightness may be enough.
    }
    self.trigger = trigger
    switch trigger {
    case .pattern: break
    // 10 ms are shorter than the pause in any rhythm: a flash during the previous flash would be ignored.
    case .oneshot: try Self.write("10", to: "\(path)/delay_off")
    case .none: try Self.write("0", to: "\(path)/brightness")
    }
  }

  deinit {
    // The trigger is reset first: a brightness of 0 would end any trigger.
    try? Self.write("none", to: "\(path)/trigger")
    try? Self.write(former.brightness ?? "0", to: "\(path)/brightness")
    if let trigger = former.trigger, trigger != "none" { try? Self.write(trigger, to: "\(path)/trigger") }
  }

  /// Blinks once in a rhythm of milliseconds on, off, on, and so forth; only with the trigger `pattern`.
  public func blink(_ milliseconds: [Int32]) throws(DeviceError) {
    // Each part has two values. Without the second one, which lasts 0 ms, the light would fade from one part to the
    // next.
    let parts = milliseconds.enumerated().map { index, length in
      let level = index % 2 == 0 ? brightest : "0"
      return "\(level) \(length) \(level) 0"
    }
    try Self.write((parts + ["0 20 0 0"]).joined(separator: " "), to: "\(path)/pattern")
    // The repetition is written last: otherwise the former rhythm would be played first.
    try Self.write("1", to: "\(path)/repeat")
  }

  /// Shines once for a number of milliseconds; only with the trigger `oneshot`.
  public func flash(milliseconds: Int32) throws(DeviceError) {
    try Self.write("\(milliseconds)", to: "\(path)/delay_on")
    try Self.write("1", to: "\(path)/shot")
  }

  /// Switches the light on or off; only without a trigger.
  public func set(on: Bool) throws(DeviceError) { try Self.write(on ? brightest : "0", to: "\(path)/brightness") }

  private static func waitsForFiles(of trigger: Trigger, at path: String) -> Bool {
    let files = trigger == .pattern ? ["pattern", "repeat"] : ["delay_on", "delay_off", "shot"]
    let deadline = Clock.boottime() + patience
    while !files.allSatisfy({ unsafe access("\(path)/\($0)", W_OK) == 0 }) {
      guard Clock.boottime() < deadline else { return false }
      usleep(10_000)
    }
    return true
  }

  private static func write(_ text: String, to path: String) throws(DeviceError) {
    let number = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard number >= 0 else { throw DeviceError(.current("open \(path) for writing")) }
    let file = FileDescriptor(owning: number)
    var text = text
    let count = text.withUTF8 { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw DeviceError(.current("write to \(path)")) }
  }
}
