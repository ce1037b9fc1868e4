import Journal

/// A thread of ``ReadScheduler``, for its jobs: a connection to the journal, and pauses.
final class ReaderThread {
  private let location: JournalReader.Location
  private var own: JournalReader?
  /// Waits until the job may continue; returns `false` when it must end.
  let mayGoOn: () -> Bool

  init(_ location: JournalReader.Location, mayGoOn: @escaping () -> Bool) {
    self.location = location
    self.mayGoOn = mayGoOn
  }

  /// The reader of the thread, opened for the first job.
  func reader() throws(StoreError) -> JournalReader {
    if let own { return own }
    let reader = try open()
    own = reader
    return reader
  }

  /// A reader for a job with several steps, which keeps its snapshot in between.
  func open() throws(StoreError) -> JournalReader {
    let reader = try JournalReader(location)
    reader.onProgress(mayGoOn)
    return reader
  }

  /// Closes the reader; the next job opens the journal again.
  func close() { own = nil }
}
