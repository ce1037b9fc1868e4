import CoreAPI
import Counting
import JSON
import Journal
import Linux
import Varlink

/// Export and import.
enum Archives {
  /// The entries before the events: the format, then all groups, counters and formulas.
  static func definitions(_ entries: [Archive.Entry], current: Counter.ID?) -> [EncodedObject] {
    let order: [Event.Subject] = [.group, .counter, .formula]
    let sorted = order.flatMap { subject in entries.filter { $0.entity.subject == subject } }
    return [ArchiveEntry.header(ArchiveEntry.version).text]
      + sorted.map { ArchiveEntry.entity($0, isCurrent: $0.entity.id == current).text }
  }

  /// Adds entries to those that the connection sent before; the last call imports all of them.
  static func take(_ call: Call, _ core: Core) throws -> EncodedObject {
    guard
      let clash = Archive.Clash(
        rawValue: call.parameters[Counters.Parameter.clash]?.string ?? Archive.Clash.merge.rawValue)
    else {
      throw VarlinkError.invalidParameter("clash")
    }
    let staged = call.session as? StagedImport ?? StagedImport(folder: core.folder)
    // After an error the next call starts another import.
    call.session = nil
    do {
      try staged.add((call.parameters[Counters.Parameter.entries]?.array ?? []).compactMap(\.object))
      call.forgetParameters(except: ["trial", "continues", "file"])
      guard call.parameters[Counters.Parameter.continues]?.bool != true else {
        call.session = staged
        return summary(CounterStore.ImportSummary(), core)
      }
      let isTrial = call.parameters[Counters.Parameter.trial]?.bool ?? false
      var archive = try staged.finish()
      archive.file = try Arguments(.object(call.parameters), path: "").label(.file)
      var done = try core.importArchive(archive, onClash: clash, isTrial: isTrial)
      // Periods that have ended since the export are closed by now.
      if !isTrial { done.changed = done.changed.map { core.ledger[$0.id] ?? $0 } }
      return summary(done, core)
    } catch let error as LineError {
      throw refusal(error.message)
    } catch let error as ArchiveError {
      throw refusal(error.message)
    } catch let error as CountingError {
      throw refusal(error.message)
    } catch let error as SystemError {
      throw StoreError(.full, "The import could not be written to the disk: \(SystemError.reason(error.code)).")
    }
  }

  private static func summary(_ done: CounterStore.ImportSummary, _ core: Core) -> EncodedObject {
    typealias Member = Counters.ImportReply.Member
    return EncodedObject { reply in
      reply.add(Member.groups, done.groups)
      reply.add(Member.counters, done.counters)
      reply.add(Member.formulas, done.formulas)
      reply.add(Member.events, done.events)
      reply.add(Member.duplicates, done.duplicates)
      reply.add(Member.names, done.names)
      reply.add(Counters.ImportReply.Member.changed, done.changed) { $0.add($1, in: core.ledger) }
      if !done.kept.isEmpty { reply.add(Counters.ImportReply.Member.kept, done.kept) { $0.add($1) } }
      if !done.removed.isEmpty { reply.add(Counters.ImportReply.Member.removed, done.removed) { $0.add($1) } }
      if !done.renamed.isEmpty { reply.add(Counters.ImportReply.Member.renamed, done.renamed) { $0.add($1) } }
      if !done.repeated.isEmpty {
        reply.add(Counters.ImportReply.Member.repeated, done.repeated) { $0.add($1) }
        reply.add(Member.repetitions, done.repetitions)
      }
      if !done.corrected.isEmpty {
        reply.add(Counters.ImportReply.Member.corrected, done.corrected) { $0.add($1) }
        reply.add(Member.corrections, done.corrections)
      }
      if done.doubled > 0 { reply.add(Member.doubled, done.doubled) }
      if !done.cut.isEmpty { reply.add(Counters.ImportReply.Member.cut, done.cut) { $0.add($1) } }
    }
  }

  private static func refusal(_ message: String) -> VarlinkError {
    Counters.Refusal(.badArchive, message: message).error
  }
}

extension ObjectWriter {
  fileprivate mutating func add(_ kept: CounterStore.ImportSummary.Kept) {
    add(Counters.ImportKept.Member.name, kept.counter.name.text)
    add(Counters.ImportKept.Member.value, kept.value)
  }

  fileprivate mutating func add(_ removed: CounterStore.ImportSummary.Removed) {
    add(Counters.ImportRemoved.Member.name, removed.name.text)
    add(Counters.ImportRemoved.Member.remedy, removed.remedy)
  }

  fileprivate mutating func add(_ renamed: CounterStore.ImportSummary.Renamed) {
    add(Counters.ImportRenamed.Member.name, renamed.name)
    add(Counters.ImportRenamed.Member.here, renamed.counter.name.text)
  }

  fileprivate mutating func add(_ repeated: CounterStore.ImportSummary.Repeated) {
    typealias Member = Counters.ImportRepeated.Member
    add(Member.name, repeated.name)
    add(Member.time, repeated.time)
    add(Member.counts, repeated.counts)
  }

  fileprivate mutating func add(_ corrected: CounterStore.ImportSummary.Corrected) {
    typealias Member = Counters.ImportCorrected.Member
    add(Member.name, corrected.name)
    add(Member.time, corrected.time)
    add(Member.amount, corrected.amount)
    add(Member.byHand, corrected.byHand)
    add(Member.sum, corrected.sum)
  }

  fileprivate mutating func add(_ cut: CounterStore.ImportSummary.Cut) {
    typealias Member = Counters.ImportCut.Member
    add(Member.name, cut.counter.name.text)
    add(Member.added, cut.added)
    add(Member.subtracted, cut.subtracted)
    if cut.counter.decimals != 0 { add(Member.decimals, cut.counter.decimals) }
    if cut.counter.kind != .simple { add(Member.kind, cut.counter.kind.rawValue) }
  }
}
