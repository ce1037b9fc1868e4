// Files that somebody wants taken in, as the core and the command line read them. The first byte says which.
import Counting
import JSON

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int)
  -> CInt
{
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let choice = input.first, let text = String(validating: input.dropFirst(), as: UTF8.self)
  else { return 0 }
  if choice & 1 == 0 { tables(text) } else { archives(text) }
  return 0
}

/// What was read as a table is the same when it is written and read again.
private func tables(_ text: String) {
  guard let table = try? CSV.table(text) else { return }
  let records = table.map(\.fields)
  demand(zip(table, table.dropFirst()).allSatisfy { $0.line < $1.line }, "each record begins on a line of its own")
  let written = records.map { CSV.line($0) + "\r\n" }.joined()
  // A table whose first line has one column says nothing of what separates the others.
  guard records.first.map({ $0.count > 1 }) ?? false,
    !(records.first?.joined().contains { ";\t\u{FEFF}".contains($0) } ?? false)
  else { return }
  guard let again = try? CSV.table(written).map(\.fields) else {
    return demand(false, "what was written can be read")
  }
  demand(again == records, "and is the same")
}

/// An entry is the same when it is written and read again; and whatever the entries say, a ledger survives them.
private func archives(_ text: String) {
  var archive = Archive()
  var events: [Event] = []
  for line in text.split(separator: "\n") {
    guard let object = try? JSON(parsing: String(line), values: 4096).object, let entry = try? ArchiveEntry(object)
    else { return }
    guard let written = try? JSON(parsing: entry.text.description).object, let again = try? ArchiveEntry(written) else {
      return demand(false, "an entry that was written can be read")
    }
    demand(again == entry, "and is the same")
    switch entry {
    case .entity(let entry, _): guard (try? archive.add(entry)) != nil else { return }
    case .event(let event):
      guard (try? archive.add(event)) != nil else { return }
      events.append(event)
    case .count(let count): guard (try? archive.add(count)) != nil else { return }
    case .header, .value, .end: break
    }
  }
  var replay = Replay()
  var ledger = Ledger()
  for event in events { guard (try? replay.replay(event, on: &ledger)) != nil else { break } }
  let cause = Cause(producer: "fuzz")
  for counter in ledger.all {
    let target = Change.Target.named(counter.name.text)
    for change in [Change.add(target, amount: nil), .reset(.one(target), isConfirmed: true), .remove(target)] {
      _ = try? ledger.perform(change, at: 1_800_000_000_000_000, cause: cause)
    }
  }
  _ = try? ledger.perform(.create(name: "new"), at: 1_800_000_000_000_000, cause: cause)
  for group in [nil] + ledger.groups.map(Optional.init) { _ = ledger.overview(of: group, at: 0) }
}
