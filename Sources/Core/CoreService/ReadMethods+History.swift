import CoreAPI
import Counting
import JSON
import Journal
import Varlink

/// The queries of the journal, which run on reader threads.
extension ReadMethods {
  static func history(_ arguments: Arguments, _ journal: Method.Journal) throws -> EncodedObject {
    let reader = journal.reader
    let limit = arguments.integer(.limit) ?? 100
    guard 1...1000 ~= limit else { throw VarlinkError.invalidParameter("limit") }
    let page: JournalReader.Page
    switch (arguments.integer(.after), arguments.integer(.before)) {
    case (let after?, nil): page = .after(after)
    case (nil, let before): page = .before(before ?? Int64.max)
    case (.some, .some): throw VarlinkError.invalidParameter("before")
    }
    // Searches one event more than the limit, to know whether more follow.
    let found = try reader.search(filter(arguments, reader), page, limit: limit + 1)
    let events = found.events.prefix(Int(limit))
    let isFull = found.events.count > limit
    let undone = try events.map(\.sequence).filter { try !reader.stands($0) }
    var names = Ledger(groups: try reader.groups())
    names.resetWindow = journal.resetWindow
    return EncodedObject { reply in
      reply.add(Counters.HistoryReply.Member.events, events) { $0.add($1, in: names) }
      reply.add(Counters.HistoryReply.Member.more, isFull || found.next != nil)
      reply.add(Counters.HistoryReply.Member.next, isFull ? events.last?.sequence : found.next)
      if !undone.isEmpty { reply.add(Counters.HistoryReply.Member.undone, undone) }
    }
  }

  /// The maximum number of counters times intervals in a call with `each`.
  private static let mostTotals = 100_000

  static func totals(_ arguments: Arguments, _ journal: Method.Journal) throws -> EncodedObject {
    let bounds = (arguments[.bounds]?.array ?? []).compactMap(\.int)
    guard 2...2001 ~= bounds.count, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw VarlinkError.invalidParameter("bounds")
    }
    if arguments[.each]?.bool ?? false { return try totalsOfEach(arguments, bounds, journal) }
    let (unit, totals) = try journal.reader.totals(
      of: counters(arguments, journal.reader), between: bounds, now: journal.now,
      isOwn: arguments[.own]?.bool ?? false)
    return EncodedObject { reply in
      reply.add(Counters.TotalsReply.Member.totals, zip(totals, bounds)) { $0.add($1.0, start: $1.1) }
      reply.add(unitOfSum: unit)
    }
  }

  private static func totalsOfEach(
    _ arguments: Arguments, _ bounds: [Int64], _ journal: Method.Journal
  ) throws -> EncodedObject {
    let reader = journal.reader
    let counters = try names(arguments).map { try Self.counters(named: $0, reader) } ?? reader.ledger().all
    guard counters.count * (bounds.count - 1) <= mostTotals else { throw VarlinkError.invalidParameter("bounds") }
    let found = try reader.totals(
      ofEach: Set(counters.map(\.id)), between: bounds, now: journal.now,
      isOwn: arguments[.own]?.bool ?? false)
    let none = Array(repeating: Totals(), count: bounds.count - 1)
    return EncodedObject { reply in
      reply.add(Counters.TotalsReply.Member.totals, EmptyCollection<EncodedObject>())
      reply.add(Counters.TotalsReply.Member.counters, counters) { object, counter in
        object.add(Counters.CounterTotals.Member.name, counter.name.text)
        object.add(Counters.CounterTotals.Member.totals, zip(found[counter.id] ?? none, bounds)) {
          $0.add($1.0, start: $1.1)
        }
        object.add(unitOfSum: counter.unit)
      }
    }
  }

  static func statistics(_ arguments: Arguments, _ journal: Method.Journal) throws -> EncodedObject {
    let found = try journal.reader.statistics(
      of: counters(arguments, journal.reader), from: arguments.integer(.from) ?? .min,
      until: arguments.integer(.until) ?? .max, now: journal.now, isOwn: arguments[.own]?.bool ?? false)
    return EncodedObject { reply in
      reply.add(Counters.StatisticsReply.Member.total) { $0.add(found.totals, start: found.first ?? 0) }
      reply.add(Counters.StatisticsReply.Member.first, found.first)
      reply.add(Counters.StatisticsReply.Member.last, found.last)
      if let busiest = found.busiest {
        reply.add(Counters.StatisticsReply.Member.busiest) { $0.add(busiest.totals, start: busiest.start) }
      }
      if let gap = found.gap {
        reply.add(Counters.StatisticsReply.Member.gap) {
          $0.add(Counters.Gap.Member.start, gap.lowerBound)
          $0.add(Counters.Gap.Member.end, gap.upperBound)
        }
      }
      reply.add(unitOfSum: found.unit)
    }
  }

  static func past(_ arguments: Arguments, _ journal: Method.Journal) throws -> EncodedObject {
    let (reader, time) = (journal.reader, arguments.integer(.time) ?? 0)
    var ledger = try reader.ledger()
    ledger.zone = journal.zone
    let names = try names(arguments)
    let formulas = try names.map { $0.compactMap(ledger.formula(named:)) } ?? reader.formulas()
    let known = Set(formulas.map(\.name.text))
    let counters = try names.map { try Self.counters(named: $0.filter { !known.contains($0) }, reader) } ?? ledger.all
    let needed = ledger.counters(behind: formulas).union(counters.map(\.id))
    var values = try reader.values(of: Array(needed), at: time, now: journal.now)
    var beginnings: [Counter.ID: Int64] = [:]
    let summed = arguments.integer(.from).map { ledger.counters(among: needed, withPeriodsFrom: $0, to: time) } ?? []
    if let from = arguments.integer(.from), !summed.isEmpty {
      let sums = try reader.totals(ofEach: summed, between: [from, time + 1], now: journal.now)
      for id in summed where values[id] != nil || sums[id] != nil {
        let sum = ledger[id]?.start.addingReportingOverflow(sums[id]?.first?.net ?? 0)
        values[id] = sum?.overflow == false ? sum?.partialValue : nil
        beginnings[id] = from
      }
    }
    for id in ledger.ratedCounters.intersection(needed).subtracting(summed) {
      beginnings[id] = try ledger[id].flatMap { counter throws(StoreError) in
        try reader.beginning(of: counter, at: time, in: ledger)
      }
    }
    let standings = FormulaEvaluator(
      ledger, at: time, past: .init(values: values, beginnings: beginnings, summed: summed))
    return EncodedObject { reply in
      if !summed.isEmpty { reply.add(Counters.PastReply.Member.summed, true) }
      reply.add(Counters.PastReply.Member.values, counters) { object, counter in
        object.add(Counters.PastValue.Member.name, counter.name.text)
        object.add(Counters.PastValue.Member.value, values[counter.id])
      }
      guard !formulas.isEmpty else { return }
      reply.add(Counters.PastReply.Member.formulas, formulas) { object, formula in
        object.add(Counters.PastFormula.Member.name, formula.name.text)
        guard let value = standings.value(of: formula) else { return }
        object.add(Counters.PastFormula.Member.value, value.text(decimals: Expression.shownDecimals))
        object.add(Counters.PastFormula.Member.text, formula.display.text(value))
      }
    }
  }

  /// A page of entries for a call without `more`: either all entries that are not events, or the events after a number.
  static func export(_ arguments: Arguments, _ journal: Method.Journal) throws -> EncodedObject {
    guard let after = arguments.integer(.after) else {
      let entries = Archives.definitions(try journal.reader.entries(), current: try journal.reader.currentCounter())
      return EncodedObject { reply in
        reply.add(Counters.ExportReply.Member.entries, entries)
        reply.add(Counters.ExportReply.Member.next, Int64(0))
      }
    }
    let found = try journal.reader.search(EventFilter(), .after(after), limit: 2000)
    var entries = found.events.map { ArchiveEntry.event($0) }
    if found.next == nil {
      let last = try journal.reader.lastSequence()
      // The number must not be above that of the last event.
      guard after <= last else { throw VarlinkError.invalidParameter("after") }
      entries.append(.end(events: try journal.reader.eventCount(through: found.events.last?.sequence ?? last)))
    }
    return EncodedObject { reply in
      reply.add(Counters.ExportReply.Member.entries, entries.map(\.text))
      reply.add(Counters.ExportReply.Member.next, found.next)
    }
  }

  // MARK: Counters

  private static func filter(_ arguments: Arguments, _ reader: JournalReader) throws -> EventFilter {
    EventFilter(
      counters: try subjects(arguments, reader), producer: arguments.text(.producer),
      device: arguments.text(.device), gesture: arguments.text(.gesture), from: arguments.integer(.from),
      until: arguments.integer(.until))
  }

  /// The counters in the call by name and by ID; `nil` for all.
  private static func counters(_ arguments: Arguments, _ reader: JournalReader) throws -> Set<Counter.ID>? {
    let names = try names(arguments)
    let id = arguments.integer(.id).map(Counter.ID.init)
    guard names != nil || id != nil else { return nil }
    return Set(try counters(named: names ?? [], reader).map(\.id) + (id.map { [$0] } ?? []))
  }

  /// The counters and formulas in the call by name and by ID; `nil` for all.
  private static func subjects(_ arguments: Arguments, _ reader: JournalReader) throws -> Set<Counter.ID>? {
    guard let names = try names(arguments) else { return try counters(arguments, reader) }
    let formulas = Dictionary(try reader.formulas().map { ($0.name.text, $0.id) }) { first, _ in first }
    let counters = try reader.countersEver(named: Set(names.filter { formulas[$0] == nil }))
    var ids = Set(arguments.integer(.id).map { [Counter.ID($0)] } ?? [])
    for name in names {
      guard let id = try formulas[name] ?? counters[name]?.id ?? reader.bearersEver(of: name).first else {
        throw CountingError.noSuchCounter(name.shortened)
      }
      ids.insert(id)
    }
    return ids
  }

  private static func counters(named names: [String], _ reader: JournalReader) throws -> [Counter] {
    let counters = try reader.countersEver(named: Set(names))
    return try names.map { name in
      guard let counter = counters[name] else { throw CountingError.noSuchCounter(name.shortened) }
      return counter
    }
  }

  /// The names in `counters`, without duplicates; `nil` if the parameter is absent.
  static func names(_ arguments: Arguments) throws -> [String]? {
    let names = arguments[.counters]?.array?.compactMap(\.string)
    guard let names else { return nil }
    guard names.count <= 10_000 else { throw VarlinkError.invalidParameter("counters") }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

extension ObjectWriter {
  fileprivate mutating func add(_ totals: Totals, start: Int64) {
    add(Counters.Total.Member.start, start)
    add(Counters.Total.Member.counts, totals.counts)
    add(Counters.Total.Member.added, totals.added)
    add(Counters.Total.Member.subtracted, totals.subtracted)
    if totals.isClamped { add(Counters.Total.Member.difference, totals.net) }
  }

  /// The unit of a sum, unless it is whole numbers.
  mutating func add(unitOfSum unit: Unit?) {
    switch unit {
    case .time?: add(Counters.TotalsReply.Member.stopwatches, true)
    case .decimal(0)?, nil: break
    case .decimal(let decimals)?: add(Counters.TotalsReply.Member.decimals, decimals)
    }
  }
}
