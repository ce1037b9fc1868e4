import Counting
public import Journal

extension Core {
  /// Returns events that match `filter`, uncommitted ones included.
  public func search(_ filter: EventFilter, _ page: CounterStore.Page, limit: Int64) throws -> JournalReader.Found {
    try storing { () throws(StoreError) in try store.search(filter, page, limit: limit, in: ledger) }
  }
}
