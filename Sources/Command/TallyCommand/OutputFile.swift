import ArgumentParser
import Glibc
import Linux
import Tallymark

/// The output file of a command.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write; “-” for standard output.", valueName: "file"),
    completion: .file())
  var output: String?
  @Flag(help: "Replace the file if it exists.") var force = false

  /// Opens the file.
  ///
  /// - Throws: exit code 74, after printing the error; a `ValidationError` if no file is named.
  func file() throws -> OutputFile {
    guard let output else { throw ValidationError("State the file to write with -o FILE; “-o -” is standard output.") }
    return try OutputFile(output, replaces: force)
  }

  /// The path; `nil` for standard output.
  var path: String? { output == "-" ? nil : output }
}

/// An output file, written in parts and renamed into place at the end; “-” is standard output.
struct OutputFile {
  /// `EX_IOERR` of sysexits.h: a file cannot be written, or exists already.
  static let unwritable = ExitCode(74)

  private let path: String
  private let file: FileReplacement?

  /// - Parameters:
  ///   - replaces: whether an existing file is replaced. Devices and pipes are always written.
  ///   - makesFolders: whether missing folders are created.
  /// - Throws: exit code 74, after printing the error.
  init(_ path: String, replaces: Bool, makesFolders: Bool = false) throws(ExitCode) {
    self.path = path
    if path != "-" { try Self.check(path, replaces, makesFolders) }
    do {
      file = path == "-" ? nil : try FileReplacement(of: path)
    } catch {
      throw Self.failure(path, error)
    }
  }

  func append(_ text: String) throws(ExitCode) {
    guard let file else { return Output.data(text) }
    do { try file.append(Array(text.utf8)) } catch { throw Self.failure(path, error) }
  }

  /// Renames the file into place. Without this call the previous file stays.
  func finish() throws(ExitCode) {
    do { try file?.finish() } catch { throw Self.failure(path, error) }
  }

  /// Writes a text as the whole file.
  func write(_ text: String) throws(ExitCode) {
    try append(text)
    try finish()
  }

  /// Checks a path before any work.
  ///
  /// - Throws: exit code 74, after printing the error, for an existing file or a missing folder.
  static func check(_ path: String, _ replaces: Bool, _ makesFolders: Bool = false) throws(ExitCode) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG, !replaces else { return }
      Output.complain("\(path) exists already. Choose another name, or replace it with --force.")
      throw Self.unwritable
    }
    guard !makesFolders, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    if unsafe stat(folder, &status) == 0 || errno != ENOENT { return }
    Output.complain("There is no folder \(folder). Create it with: mkdir -p \(Remedy.word(folder))")
    throw Self.unwritable
  }

  static func failure(_ path: String, _ error: SystemError) -> ExitCode {
    Output.complain("Could not write \(path): \(SystemError.reason(error.code)).")
    return Self.unwritable
  }
}
