import ArgumentParser
import Platform

/// A file that a person asked for.
enum OutputFile {
  /// Puts `text` into the file at `path`, whole or not at all; “-” is standard output.
  ///
  /// - Throws: exit code 74, after saying what was wrong.
  static func write(_ text: String, to path: String) throws {
    if path == "-" { return Output.write(text) }
    do {
      try FileContent.replace(path, with: Array(text.utf8))
    } catch {
      Output.complain("could not write \(path): \(SystemError.reason(error.code))")
      throw ExitCode(74)
    }
  }
}
