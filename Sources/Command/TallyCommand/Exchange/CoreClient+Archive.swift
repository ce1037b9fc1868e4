import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Text

/// The definitions in a file that was imported.
private struct FileContents {
  var formulas: [(name: String, text: String)] = []
  /// The names of the counters.
  var counters: Set<String> = []
  /// Whether the file has no entry.
  var isEmpty = true
  /// The number of values in a table.
  var values: Int64 = 0
  /// The number of counts in a table, without amounts of 0.
  var counts: Int64 = 0

  /// - Parameter done: the reply to the import.
  func news(_ done: Counters.ImportReply) -> (number: Int64, word: String) {
    counts > 0 || values > 0
      ? (counts + values - done.duplicates, counts > 0 ? "count" : "value") : (done.events, "event")
  }
}

extension CoreClient {
  /// Calls the body for the entries of an export, all from one snapshot: first all entities, then, if requested, all
  /// events.
  func eachArchiveEntry(withHistory: Bool, _ each: (JSONObject) throws -> Void) throws {
    try stream(.export()) { reply in
      for entry in reply.entries {
        // The file gets a separate end.
        guard let entry = entry.object, entry["end"] == nil else { continue }
        if entry["event"] != nil, !withHistory { return false }
        try each(entry)
      }
      return true
    }
  }

  /// The maximum size of the entries in one call, in bytes: below the message limit for users without the right to
  /// administer, so that these get PermissionDenied.
  private static let page = 128 << 10

  /// - Parameters:
  ///   - name: the only counter whose counts are sent, for a trial that prints no error; `nil` for all entries.
  ///   - contents: receives the definitions in the file.
  private func send(
    _ file: ImportFile, of name: String? = nil, clash: Counting.Archive.Clash?,
    again: Counting.Archive.Count.Again?, isTrial: Bool, _ contents: inout FileContents
  ) throws -> Counters.ImportReply {
    func reply<Reply>(_ request: Counters.Request<Reply>) throws -> Reply {
      guard name != nil else { return try call(request) }
      return try patiently(isLong: true) { try client.call(request) }
    }
    var (entries, size) = ([JSON](), 0)
    try file.forEachEntry { entry in
      if let name, entry.object?["count"]?.object?["name"]?.string != name { return }
      contents.isEmpty = false
      if let formula = ImportFile.formula(in: entry) { contents.formulas.append(formula) }
      if let counter = ImportFile.counter(in: entry) { contents.counters.insert(counter) }
      if entry.object?["value"] != nil { contents.values += 1 }
      if let amount = entry.object?["count"]?.object?["amount"]?.string, amount.contains(where: { "1"..."9" ~= $0 }) {
        contents.counts += 1
      }
      entries.append(again.map { entry.counted(again: $0) } ?? entry)
      size += entry.description.utf8.count
      guard size >= Self.page else { return }
      _ = try reply(.import(part: entries))
      (entries, size) = ([], 0)
    }
    return try reply(.import(entries, clash: clash, isTrial: isTrial, file: file.name))
  }

  /// Imports a file and prints the result.
  ///
  /// - Parameter again: the treatment of amounts that differ from those of an earlier import.
  func importFile(
    _ file: ImportFile, clash: Counting.Archive.Clash?, again: Counting.Archive.Count.Again? = nil, dryRun: Bool,
    _ options: CommonOptions
  ) throws {
    let before = try call(.list)
    if let fault = file.doubts.fault(Set(before.counters.map(\.name))) { throw ImportFile.refusal(file.path, fault) }
    var contents = FileContents()
    let done: Counters.ImportReply
    if file.isOfSums, again != .add {
      let reason = try doubledSums(in: file, before.counters) { name in
        var contents = FileContents()
        // What an import brought is known by its rows: the same amount is a duplicate, and another one is refused.
        return (try? send(file, of: name, clash: clash, again: nil, isTrial: true, &contents))?.duplicates
      }
      if let reason { throw ImportFile.refusal(file.path, ImportFile.Fault(line: 1, reason: reason)) }
    }
    do {
      done = try send(file, clash: clash, again: again, isTrial: dryRun, &contents)
    } catch {
      Output.complain("Nothing of \(file.path) was imported.")
      throw error
    }
    if options.json {
      var reply = done.object
      reply["format"] = file.format.map(JSON.string)
      return Output.line(JSON.object(reply).description)
    }
    if let format = file.format { Output.line("Read as \(format.printableLine).") }
    if file.isOfMidnights { Output.line("All times are 00:00, so the rows are days.") }
    if !file.leftOut.isEmpty {
      Output.line("Left out: \(file.leftOut.map(\.printableLine).joinedAsList).")
    }
    let (counters, events, formulas, names) = (done.counters, done.events, done.formulas ?? 0, done.names)
    func things(_ count: Int64, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    let news = contents.news(done)
    // Of the counters that keep their value, some have another one than the file.
    let old =
      done.kept.isEmpty
      ? (one: "is here already", many: "are here already") : (one: "was imported before", many: "were imported before")
    if events == 0, counters == 0 {
      let reason =
        switch done.duplicates {
        case 0 where contents.isEmpty: ": the file has no entries"
        case 0 where !done.removed.isEmpty: ""
        case 0 where clash == .keep: ""
        case 0: ": what is in the file exists here, and it has no history to merge"
        case 1: ": its only \(news.word) \(old.one)"
        case let count: ": all \(count) \(news.word)s \(old.many)"
        }
      Output.line("Nothing to import\(reason).")
    } else {
      var new =
        [
          counters > 0 ? things(counters, "new counter") : nil, formulas > 0 ? things(formulas, "new formula") : nil,
          news.number > 0 ? things(news.number, news.word) : nil,
        ]
        .compactMap(\.self)
      // A group alone, or what is taken away because another amount replaces it.
      if new.isEmpty { new = [done.groups > 0 ? things(done.groups, "new group") : things(events, "change")] }
      let rest =
        done.duplicates > 0 ? "; \(done.duplicates) \(done.duplicates == 1 ? old.one : old.many)" : ""
      Output.line("\(dryRun ? "Would import" : "Imported") \(new.joinedAsList)\(rest).")
    }
    if !dryRun, events == 0 { Output.line("The file changed nothing, so there is nothing to undo.") }
    for repetition in done.repeated {
      Output.line(
        "\(repetition.counts) rows at \(LocalTime(microseconds: repetition.time).minute) for \(repetition.name): "
          + "\(dryRun ? "would be " : "")added.")
    }
    if let others = done.repetitions.map({ $0 - Int64(done.repeated.count) }), others > 0 {
      Output.line("… and at \(things(others, "other time")) as well.")
    }
    if let doubled = done.doubled {
      Output.line(
        "\(things(doubled, news.word)) that \(doubled == 1 ? "is" : "are") here already "
          + "\(dryRun ? "would count" : doubled == 1 ? "counts" : "count") again.")
    }
    for row in done.corrected {
      Output.line(
        "\(row.time): the file has \(row.amount) for \(row.name), and \(row.byHand) was entered by hand: "
          + "\(row.sum) in all.")
    }
    if let others = done.corrections.map({ $0 - Int64(done.corrected.count) }), others > 0 {
      Output.line("… and \(things(others, "other row")) with entries by hand.")
    }
    let known = Set(before.counters.map(\.name))
    var alike = Dictionary(known.sorted().map { ($0.lowercased(), $0) }) { first, _ in first }
    for name in names where !known.contains(name) {
      if let other = alike.updateValue(name, forKey: name.lowercased()) {
        Output.line("\(name) and \(other) are two counters: their names differ in capital letters.")
      }
    }
    let explained = done.removed.filter { !$0.remedy.isEmpty }
    for gone in explained {
      Output.line("\(gone.name.printableLine) was removed here, so nothing is added to it. \(gone.remedy)")
    }
    if case let others = done.removed.count - explained.count, others > 0 {
      Output.line("… and \(things(Int64(others), "other one")), removed here as well.")
    }
    if !done.renamed.isEmpty {
      let names = done.renamed.map { "\($0.name.printableLine) is now \($0.here)" }.abridged(to: 20)
      Output.line("Renamed here since an earlier import: \(names).")
    }
    for line in Self.changes(to: done.changed, from: before) { Output.line(line) }
    if let first = done.kept.first {
      let present = Dictionary(before.counters.map { ($0.name, CounterLine($0).count) }) { first, _ in first }
      let kept = done.kept.map { "\($0.name) \(present[$0.name] ?? "") (file: \($0.value))" }.abridged(to: 20)
      Output.line(
        "\(dryRun ? "Would stay" : "Left") as here: \(kept). To set one: tally correct \(first.name) \(first.value)")
    }
    for cut in done.cut { Output.line(Self.sentence(about: cut, isTrial: dryRun)) }
    if clash == .keep {
      let kept =
        before.counters.map(\.name).filter(contents.counters.contains)
        + before.formulas.map(\.name).filter { name in contents.formulas.contains { $0.name == name } }
      if !kept.isEmpty { Output.line("Left as here: \(kept.abridged(to: 20))") }
    }
    for formula in contents.formulas {
      guard clash == .merge, let here = before.formulas.first(where: { $0.name == formula.name }),
        here.formula != formula.text
      else { continue }
      Output.line(
        "The formula \(formula.name) \(dryRun ? "would stay" : "stays") as it is here: \(here.formula.printableLine)")
    }
  }

  /// A sentence such as `The limits of room cut off 4 of what was to be added.`
  static func sentence(about cut: Counters.ImportCut, isTrial: Bool) -> String {
    let unit = cut.kind == Counter.Kind.stopwatch.rawValue ? Unit.time : .decimal(cut.decimals ?? 0)
    let parts = [(cut.added, "added"), (cut.subtracted, "subtracted")].filter { $0.0 != 0 }.map { amount, word in
      "\(unit.text(amount)) of what was to be \(word)"
    }
    return "The limits of \(cut.name) \(isTrial ? "would " : "")cut off \(parts.joinedAsList)."
  }

  /// A line for each counter with its former and present value, such as `people  12 → 10` and `dogs  3 (new)`.
  static func changes(to counters: [Counters.Counter], from before: Counters.ListReply) -> [String] {
    let former = Dictionary(before.counters.map { ($0.id, CounterLine($0).count) }) { first, _ in first }
    let width = counters.map(\.name.columns).max() ?? 0
    return counters.map { counter in
      let count = CounterLine(counter).count
      let change = former[counter.id].map { $0 == count ? $0 : "\($0) → \(count)" } ?? "\(count) (new)"
      return "  \(counter.name.padded(to: width))  \(change)"
    }
  }
}

extension [String] {
  /// The elements as text: `a`, `a and b`, `a, b and c`.
  fileprivate var joinedAsList: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

extension JSON {
  /// An entry of an archive which, if it is a count or a counter, states its treatment after an earlier import.
  fileprivate func counted(again: Counting.Archive.Count.Again) -> JSON {
    guard let (kind, value) = object?.first(where: { ["count", "counter"].contains($0.key) }),
      var members = value.object
    else { return self }
    members["again"] = .string(again.rawValue)
    return [kind: .object(members)]
  }
}
