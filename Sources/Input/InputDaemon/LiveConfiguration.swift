import Bindings
import Linux

/// The configuration in force. A saved change of the file applies at once; an invalid file is ignored.
final class LiveConfiguration {
  private(set) var current: Configuration
  private let option: String?
  private let onChange: (Configuration) -> Void
  private var watch: FileWatch?
  /// The last error. Each error is logged once.
  private var complaint: String?

  /// - Parameters:
  ///   - option: the value of `--config`.
  ///   - onChange: receives every configuration that comes into force after the first one.
  /// - Throws: the errors of ``ConfigurationFile/inForce(option:)`` for the first configuration.
  init(loop: EventLoop, option: String?, onChange: @escaping (Configuration) -> Void) throws {
    self.option = option
    self.onChange = onChange
    current = .standard
    // The file is watched before it is read, so that no change is missed.
    watch = try FileWatch(loop: loop, paths: ConfigurationFile.places(option: option)) { [unowned self] in
      reload(isAskedFor: false)
    }
    current = try ConfigurationFile.inForce(option: option)
  }

  /// Reads the file again.
  ///
  /// - Parameter isAskedFor: whether to report the result even if nothing has changed.
  func reload(isAskedFor: Bool) {
    ServiceProcess.notify("RELOADING=1\nMONOTONIC_USEC=\(Clock.monotonic() / 1000)")
    let state = readAgain(isAskedFor: isAskedFor)
    ServiceProcess.notify("READY=1\nSTATUS=\(state)")
  }

  /// Reads the file, and returns a sentence about the result.
  private func readAgain(isAskedFor: Bool) -> String {
    let new: Configuration
    do {
      new = try ConfigurationFile.inForce(option: option)
    } catch {
      let reason = "\(error)"
      if isAskedFor || reason != complaint {
        for line in reason.split(separator: "\n") { ServiceProcess.log(.error, String(line)) }
        ServiceProcess.log(.warning, "The new configuration is not used; \(name) stays in force.")
      }
      complaint = reason
      return "The new configuration is not valid; the previous one stays in force."
    }
    let sentence = new.file.map { "The configuration in \($0) is in force." } ?? "The defaults are in force."
    let isNew = new != current
    let isWorthSaying = isAskedFor || complaint != nil || isNew
    complaint = nil
    if isNew {
      current = new
      onChange(new)
    }
    // Logged last: a reader of the line may press at once and rely on the configuration.
    if isWorthSaying { ServiceProcess.log(.notice, sentence) }
    return sentence
  }

  private var name: String { current.file.map { "the previous content of \($0)" } ?? "the previous one (the defaults)" }
}
