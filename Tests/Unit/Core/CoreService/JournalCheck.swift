import Journal
import Testing

/// What `tally verify` finds in the journal of a core that runs.
enum JournalCheck {
  static func expectWhole(_ core: TestCore, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectWhole(core.folder, sourceLocation)
  }

  static func expectWhole(_ client: TestClient, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectWhole(client.folder, sourceLocation)
  }

  private static func expectWhole(_ folder: String, _ sourceLocation: SourceLocation) throws {
    for fault in try JournalFile.verify(folder).prefix(3) {
      Issue.record("\(fault)", sourceLocation: sourceLocation)
    }
  }
}
