import Platform

/// Whether all programs are of one version.
struct VersionCheck {
  static func findings() -> [Finding] {
    let install = Installation.current.install
    return ["tallyd", "tally-inputd"].map { program in
      let answer = Inquiry.ask("\(program) --version")
      guard answer.isGood, let version = answer.output.split(whereSeparator: \.isWhitespace).last else {
        return .fault("versions", "There is no program \(program) on the path.", mend: install)
      }
      return finding(for: program, String(version), mend: install)
    }
  }

  /// Holds a version against this program's own.
  static func finding(for what: String, _ version: String, mend remedy: Remedy) -> Finding {
    if version == Product.version { return .fine("versions", "\(what) is version \(version), as this program is.") }
    return .fault(
      "versions", "\(what) is version \(version), and this program is \(Product.version).", mend: remedy)
  }
}
