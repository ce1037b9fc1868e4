import Tallymark

/// Checks that all programs have the same version.
struct VersionCheck {
  static func findings() -> [Finding] {
    let install = Installation.current.install
    return ["tallyd", "tally-inputd"].map { program in
      let answer = SystemProbe.ask("\(program) --version")
      guard answer.isGood, let version = answer.output.split(whereSeparator: \.isWhitespace).last else {
        return .fault("versions", "The program \(program) is not in PATH.", mend: install)
      }
      return finding(for: program, String(version), mend: install)
    }
  }

  /// Compares a version with that of this program.
  static func finding(for what: String, _ version: String, mend remedy: Remedy) -> Finding {
    if version == Product.version { return .fine("versions", "\(what) is version \(version), like this program.") }
    return .fault(
      "versions", "\(what) is version \(version), but this program is version \(Product.version).", mend: remedy)
  }
}
