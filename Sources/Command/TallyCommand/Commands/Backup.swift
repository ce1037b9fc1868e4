import ArgumentParser
import Glibc
import JSON
import Journal
import Linux
import Tallymark

/// `tally backup`: copies the journal.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy all counters and their history to a file while counting continues.",
    discussion: """
      Reads the core's own file, as SQLite's online backup does; so it is for the one whose core it is, or for root.
      Example: tally backup ~/counts-2026-11-21.tally
      """)

  @Argument(help: "The file.", completion: .file()) var file: String
  @Flag(help: "Replace the file if it exists.") var force = false
  @OptionGroup var place: JournalPlace

  func run() throws {
    try Self.check(file, force)
    let folder = try place.folder()
    try Journal.explaining(place.state == nil ? folder : nil, isWriting: true) {
      try JournalFile.backUp(folder, to: file, replaces: force)
      Output.line(
        place.json ? JSON.object(["file": .string(file)]).description : "Wrote the backup \(file) of \(folder).")
    }
  }

  /// Checks the path of a backup.
  ///
  /// - Throws: exit code 74, after printing the error, for a path where no backup can be written.
  private static func check(_ path: String, _ replaces: Bool) throws(ExitCode) {
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    // The store reports files that it does not replace.
    if exists, replaces { return }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      Output.complain("\(path) is not the file of a backup. Choose another name.")
      throw OutputFile.unwritable
    }
    try OutputFile.check(path, replaces)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard unsafe access(folder, W_OK) != 0 else { return }
    throw OutputFile.failure(path, SystemError("open", code: errno))
  }
}

/// `tally restore`: replaces the journal by a backup.
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replace all counters and their history by a backup.",
    discussion: """
      The core must not run meanwhile. The backup is verified first, and what is replaced is kept beside it.
      Example: tally restore ~/counts-2026-11-21.tally
      """)

  @Argument(help: "The backup.", completion: .file()) var file: String
  @OptionGroup var place: JournalPlace

  func run() throws {
    try Journal.explaining {
      let folder = try place.folder(mayRun: false)
      let kept = try JournalFile.restore(file, to: folder)
      if place.json {
        let kept = kept.map(JSON.string) ?? .null
        return Output.line(JSON.object(["file": .string(file), "folder": .string(folder), "kept": kept]).description)
      }
      Output.line("Restored \(file) in \(folder)." + (kept.map { " The previous file is kept as \($0)." } ?? ""))
    }
  }
}

/// `tally verify`: checks that every value matches its events.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check that every value matches its events, and list the differences.",
    discussion: """
      Ends with code 0 where all is well, with 1 where something differs. The core may run.
      Example: tally verify
      Example: tally verify ~/counts-2026-11-21.tally
      """)

  @Argument(help: "A backup; default: the journal of the core.", completion: .file()) var file: String?
  @OptionGroup var place: JournalPlace

  func run() throws {
    let path = try file ?? place.folder()
    try Journal.explaining(file == nil && place.state == nil ? path : nil) {
      let differences = try JournalFile.verify(path)
      if place.json {
        Output.line(JSON.object(["differences": .array(differences.map(JSON.string))]).description)
      } else {
        for difference in differences { Output.line(difference) }
        if differences.isEmpty { Output.line("Every value matches its events.") }
      }
      guard differences.isEmpty else { throw CoreClient.refused }
    }
  }
}

/// The folder of the core's journal.
struct JournalPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The state folder of the core; default: that of the core that runs, or else the default of tallyd.",
      valueName: "folder"),
    completion: .directory)
  var state: String?
  @Flag(help: "Print one JSON object a line.") var json = false

  /// The folder of the core that the other commands use.
  ///
  /// - Parameter mayRun: whether the core may run; its process then tells the folder.
  /// - Throws: a `ValidationError` if the folder of that core is not known.
  func folder(mayRun: Bool = true) throws -> String {
    if let state { return state }
    for socket in mayRun ? CoreSocket.candidates(option: nil) : [] {
      switch CoreFolder.find(listeningAt: socket) {
      case .folder(let folder): return folder
      case .hidden:
        throw ValidationError(
          "The core at \(socket) belongs to another user, who alone may read its file. Use sudo, or name a folder with "
            + "--state FOLDER.")
      case .none: break
      }
    }
    if let socket = CoreSocket.named(nil), !CoreSocket.defaults.contains(socket) {
      let reason = mayRun ? "no core listens there" : "the core must not run"
      throw ValidationError(
        "TALLYMARK_SOCKET names \(socket), and \(reason), so its folder is not known. Name the folder with --state FOLDER."
      )
    }
    if let folder = CoreState.folder(option: nil) { return folder }
    throw ValidationError("There is no state folder: HOME is not set; use --state.")
  }
}

enum Journal {
  /// Runs `body`; prints an error of the journal and exits with code 1, or with 74 if a disk is full.
  ///
  /// - Parameters:
  ///   - folder: the folder of the journal, unless the user named it; if it has none, the error explains how to name
  ///     another.
  ///   - isWriting: whether `body` only writes a file that the user named.
  static func explaining(_ folder: String? = nil, isWriting: Bool = false, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as StoreError {
      let isElsewhere = folder.map { unsafe access("\($0)/\(JournalFile.name)", F_OK) != 0 } ?? false
      let advice = " There is no journal at the default place; name the core's folder with --state FOLDER."
      guard isWriting, error.code == .full else {
        Output.complain(error.message + (isElsewhere ? advice : ""))
        throw CoreClient.refused
      }
      // The core continues to count, because the error does not concern its disk.
      Output.complain(error.message.replacing(" Nothing is counted until then.", with: " Counting continues."))
      throw OutputFile.unwritable
    }
  }
}
