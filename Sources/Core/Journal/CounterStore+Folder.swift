/// Watches the journal's files: people may move them, and other users may replace them.
extension CounterStore {
  /// The location of the journal, for ``JournalReader/init(_:)``.
  public var location: JournalReader.Location { .init(path: database.path, identity: identity) }

  /// Whether other users than the owner of the folder may replace the journal.
  public var isOpenToOthers: Bool { folder.isOpenToOthers }

  /// Whether files in the folder `path` can be written and synced now.
  public static func takesWrites(inFolder path: String) -> Bool { StateFolder.takesWrites(path) }

  /// Whether ``noteChangeOfFolder(isGone:)`` is called after each change, so that most commits need not look at the
  /// folder.
  public var isFolderWatched: Bool {
    get { identity.isWatched }
    set { identity.isWatched = newValue }
  }

  /// Notes that a file of the folder was created, removed or moved.
  ///
  /// - Parameter isGone: whether the folder itself was removed or moved, after which it is no longer watched.
  public func noteChangeOfFolder(isGone: Bool) {
    identity.forget()
    if isGone { isFolderWatched = false }
  }

  /// Throws if the file was deleted or replaced, because all further writes would be lost.
  func assertIdentity() throws(StoreError) {
    guard let path = identity.lost() else { return }
    throw StoreError(
      .replaced,
      "\(path) was deleted, moved or replaced while tallyd was using it. Nothing is counted until it is put back "
        + "and tallyd is restarted.")
  }
}
