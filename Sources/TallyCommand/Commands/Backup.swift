import ArgumentParser
import CounterStore
import Platform

/// `tally backup`: a copy of everything.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy all counters and their whole history into one file, while counting goes on.",
    discussion: """
      Reads the core's own file, as SQLite's online backup does; so it is for the one whose core it is, or for root.
      Example: tally backup ~/counts-2026-11-21.tally
      """)

  @Argument(help: "The file, which must not be there yet.", completion: .file()) var file: String
  @OptionGroup var place: JournalPlace

  func run() throws {
    try Journal.explaining {
      try JournalFile.backUp(try place.folder(), to: file)
      Output.line("Copied everything to \(file).")
    }
  }
}

/// `tally restore`: puts a copy back.
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a backup in the place of all counters and their history.",
    discussion: """
      The core must not run meanwhile. The backup is verified first, and what is replaced is kept beside it.
      Example: tally restore ~/counts-2026-11-21.tally
      """)

  @Argument(help: "The backup.", completion: .file()) var file: String
  @OptionGroup var place: JournalPlace

  func run() throws {
    try Journal.explaining {
      let kept = try JournalFile.restore(file, to: try place.folder())
      Output.line("Restored \(file)." + (kept.map { " What was there is kept as \($0)." } ?? ""))
    }
  }
}

/// `tally verify`: whether values are what their events add up to.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compute every value from its events again, and say what differs.",
    discussion: """
      Ends with code 0 where all is well, with 1 where something differs. The core may run.
      Example: tally verify
      Example: tally verify ~/counts-2026-11-21.tally
      """)

  @Argument(help: "A backup; without it the core's own file.", completion: .file()) var file: String?
  @OptionGroup var place: JournalPlace

  func run() throws {
    try Journal.explaining {
      let differences = try JournalFile.verify(try file ?? place.folder())
      for difference in differences { Output.line(difference) }
      guard differences.isEmpty else { throw CoreClient.refused }
      Output.line("Every value is what its events add up to.")
    }
  }
}

/// Where the core keeps its file.
struct JournalPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder of the core's counts, if it is not the usual one.", valueName: "folder"),
    completion: .directory)
  var state: String?

  func folder() throws -> String {
    if let folder = CoreState.folder(option: state) { return folder }
    throw ValidationError("There is no place for the counts: HOME is not set; give --state.")
  }
}

enum Journal {
  /// Runs `body`; says what is wrong with the file, with exit code 1.
  static func explaining(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as StoreError {
      Output.complain(error.message)
      throw CoreClient.refused
    }
  }
}
