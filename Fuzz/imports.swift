// Files that somebody wants taken in, as the core and the command line read them. The first byte says which.
import Counting
import Varlink

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
  guard let records = try? CSV.records(text) else { return }
  let written = records.map { CSV.line($0) + "\r\n" }.joined()
  // A table whose first line has one column says nothing of what separates the others.
  guard records.first.map({ $0.count > 1 }) ?? false,
    !(records.first?.joined().contains { ";\t\u{FEFF}".contains($0) } ?? false)
  else { return }
  guard let again = try? CSV.records(written) else {
    return demand(false, "what was written can be read")
  }
  demand(again == records, "and is the same")
}

/// What was taken for whole is whole, and is the same when it is written and read again.
private func archives(_ text: String) {
  guard let archive = try? ArchiveLine.archive(text.split(separator: "\n").map(String.init)),
    (try? archive.check()) != nil
  else { return }
  let lines = ArchiveLine.definitions(archive) + archive.events.map(ArchiveLine.line)
  guard let again = try? ArchiveLine.archive(lines) else {
    return demand(false, "what was written can be read")
  }
  demand(
    again.counters.map(\.counter) == archive.counters.map(\.counter), "its counters are the same")
  demand(again.events == archive.events, "its events are the same")
}
