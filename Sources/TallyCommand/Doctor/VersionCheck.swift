import Platform

/// Whether all programs are of one version.
struct VersionCheck {
  static func findings() -> [Finding] {
    ["tallyd", "tally-inputd"].map { program in
      let answer = Inquiry.ask("\(program) --version")
      guard answer.isGood, let version = answer.output.split(whereSeparator: \.isWhitespace).last else {
        return .fault(
          "versions", "There is no program \(program) on the path.",
          mend: "sudo make install   (where Tallymark was built), or install the package")
      }
      return SocketCheck.version(of: program, String(version), isRunning: false)
    }
  }
}
