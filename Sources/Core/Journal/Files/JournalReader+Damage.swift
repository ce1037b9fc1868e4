extension JournalReader {
  /// The number of pages that ``findDamage(_:)`` reads at once.
  private static let portion: Int32 = 32

  /// Reads the whole file once, to find damage before the data is needed.
  ///
  /// - Parameter mayGoOn: called after every 64 KiB to make a pause; returns `false` to end the search.
  /// - Returns: the damage as a sentence that says what to do; `nil` if nothing was found.
  public func findDamage(_ mayGoOn: @escaping () -> Bool) throws(StoreError) -> StoreError? {
    guard database.checksums == .kept else { return nil }
    var page: Int64 = 1
    while let count = try database.readPages(from: page, count: Self.portion) {
      guard count > 0, mayGoOn() else { return nil }
      page += count
    }
    // A wrong checksum in the file is no proof of damage: the log may have a good copy of the page, if a power cut
    // stopped the checkpoint.
    database.onProgress(every: 20_000, mayGoOn)
    do throws(StoreError) {
      return try database.text("PRAGMA quick_check(1)") == "ok" ? nil : database.damageError
    } catch {
      guard error.code == .damaged else { throw error }
      return error
    }
  }
}
