import Bindings
import Linux

/// The configuration in force, which follows its file: what is saved applies at once, and what is wrong changes nothing.
final class LiveConfiguration {
  private(set) var current: Configuration
  private let option: String?
  private let onChange: (Configuration) -> Void
  private var watch: FileWatch?
  /// The last error, which is logged once.
  private var complaint: String?

  /// - Parameters:
  ///   - option: what `--config` says.
  ///   - onChange: gets every configuration that comes into force after the first one.
  /// - Throws: what ``ConfigurationFile/inForce(option:)`` does, where the first one is wrong already.
  init(loop: EventLoop, option: String?, onChange: @escaping (Configuration) -> Void) throws {
    self.option = option
    self.onChange = onChange
    current = .standard
    // Watched first, so that no change falls between the two.
    watch = try FileWatch(loop: loop, paths: ConfigurationFile.places(option: option)) { [unowned self] in
      reload(isAskedFor: false)
    }
    current = try ConfigurationFile.inForce(option: option)
  }

  /// Reads the file again.
  ///
  /// - Parameter isAskedFor: whether somebody waits for an answer even if nothing has changed.
  func reload(isAskedFor: Bool) {
    ServiceProcess.notify("RELOADING=1\nMONOTONIC_USEC=\(Clock.monotonic() / 1000)")
    let state = readAgain(isAskedFor: isAskedFor)
    ServiceProcess.notify("READY=1\nSTATUS=\(state)")
  }

  /// Gives a sentence about how things stand then.
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
    // Said last: who reads it may press at once, by what is said to be in force.
    if isWorthSaying { ServiceProcess.log(.notice, sentence) }
    return sentence
  }

  private var name: String { current.file.map { "what \($0) said before" } ?? "what was before (the defaults)" }
}
