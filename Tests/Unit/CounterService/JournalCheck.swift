import CounterStore
import Testing

/// What `tally verify` finds in the journal of a core that runs.
enum JournalCheck {
  static func expectWhole(_ core: TestCore, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for fault in try JournalFile.verify(core.folder).prefix(3) {
      Issue.record("\(fault)", sourceLocation: sourceLocation)
    }
  }
}
