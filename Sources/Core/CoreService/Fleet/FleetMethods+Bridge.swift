import CoreAPI
import Fleet
import JSON
import Varlink

/// The methods for the bridge.
extension FleetMethods {
  /// The maximum number of messages in a call.
  private static let mostMessages = 1000

  static func learn(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let values = Arguments(call)[.messages]?.array ?? []
    guard values.count <= mostMessages else { throw VarlinkError.invalidParameter("messages") }
    return reply(core.fleet?.learn(values.compactMap(Counters.StationMessage.init(json:))) ?? .init())
  }

  static func reply(_ learned: FleetService.Learned) -> EncodedObject {
    EncodedObject { reply in
      typealias Member = Counters.LearnFleetReply.Member
      if !learned.publications.isEmpty { reply.add(Member.publications, learned.publications) }
      if !learned.problems.isEmpty {
        reply.add(Member.problems, learned.problems) { writer, problem in
          typealias Member = Counters.FleetProblem.Member
          writer.add(Member.sentence, problem.text)
          writer.add(Member.topic, problem.topic)
          if problem.isOfMessage { writer.add(Member.invalid, true) }
        }
      }
      let resets = learned.resets
      if !resets.wanted.isEmpty {
        reply.add(Member.wanted, resets.wanted) { writer, wanted in
          typealias Member = Counters.WantedReset.Member
          writer.add(Member.station, wanted.station)
          writer.add(wanted.reset)
          if wanted.isDifferent { writer.add(Member.different, true) }
        }
      }
      if !resets.complete.isEmpty { reply.add(Member.complete, resets.complete) { $0.add($1) } }
      if !resets.progress.isEmpty { reply.add(Member.progress, resets.progress.sorted()) }
      if !learned.missing.isEmpty { reply.add(Member.missing, learned.missing) { $0.add($1) } }
    }
  }

  /// The maximum number of rows in a reply.
  private static let mostRows: Int64 = 1000

  static func resetRows(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    guard let offset = arguments.integer(.offset), offset >= 0 else { throw arguments.invalid(.offset) }
    guard let limit = arguments.integer(.limit), 1...mostRows ~= limit else { throw arguments.invalid(.limit) }
    guard let counter = arguments.text(.counter).flatMap(CounterID.init),
      let reset = arguments[.reset].flatMap(Counters.FleetEntry.init(json:))?.value
    else { return EncodedObject { _ in } }
    let period = CounterPeriod(counter, start: arguments.integer(.period))
    return rows(of: core.fleet?.member.station.knowledge[period].resets[reset], from: offset, limit)
  }

  static func rows(of reset: Reset?, from offset: Int64, _ limit: Int64) -> EncodedObject {
    EncodedObject { reply in
      typealias Member = Counters.ResetRowsReply.Member
      guard let reset else { return }
      if let base = reset.base { reply.add(Member.base) { $0.add(base) } }
      reply.add(Member.size, Int64(reset.size))
      let rest = reset.seen.dropFirst(Int(clamping: offset))
      let rows = rest.prefix(Int(limit))
      if !rows.isEmpty { reply.add(Member.registers, rows) { $0.add($1.key, $1.value) } }
      if rows.count < rest.count { reply.add(Member.more, true) }
    }
  }

  static func historyDigests(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    let writers = arguments[.writers]?.array ?? []
    guard writers.count <= mostRows else { throw arguments.invalid(.writers) }
    return digests(
      core.fleet?.digests(of: writers.lazy.compactMap { $0.string.flatMap(WriterID.init) }, arguments.text(.counter)))
  }

  static func digests(_ digests: [Counters.FleetMark]?) -> EncodedObject {
    EncodedObject { if let digests { $0.add(Counters.DigestsReply.Member.digests, digests) } }
  }

  static func quarterRows(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    let marks = arguments[.after]?.array ?? []
    guard marks.count <= mostRows else { throw arguments.invalid(.after) }
    guard let limit = arguments.integer(.limit), 1...mostRows ~= limit else { throw arguments.invalid(.limit) }
    return quarters(
      core.fleet?.quarters(
        after: marks.compactMap(Counters.FleetMark.init(json:)), arguments.text(.counter), most: Int(limit)))
  }

  static func quarters(_ quarters: [Counters.FleetQuarters]?) -> EncodedObject {
    EncodedObject { if let quarters { $0.add(Counters.QuartersReply.Member.quarters, quarters) } }
  }

  static func sendReport(_ call: Call, _ core: Core, _ caller: Caller) -> EncodedObject {
    let arguments = Arguments(call)
    core.fleet?.sendReport(
      .init(
        isAll: arguments[.all]?.bool ?? false, hasSettings: arguments[.settings]?.bool ?? false,
        hasDigests: arguments[.digests]?.bool ?? false))
    return EncodedObject { _ in }
  }

  static func report(_ call: Call, _ core: Core, _ caller: Caller) -> EncodedObject {
    let arguments = Arguments(call)
    core.fleet?.hear(
      .init(
        isConnected: arguments[.connected]?.bool ?? false, trouble: arguments.text(.trouble),
        problems: arguments[.problems]?.array?.lazy.compactMap(\.string) ?? [],
        isCopied: arguments[.copied]?.bool ?? false))
    return EncodedObject { _ in }
  }
}

extension ObjectWriter {
  fileprivate mutating func add(_ entry: Entry) {
    typealias Member = Counters.FleetEntry.Member
    add(Member.writer, entry.writer.description)
    add(Member.number, entry.number)
  }

  fileprivate mutating func add(_ name: ResetNews.Name) {
    typealias Member = Counters.ResetName.Member
    add(Member.counter, name.period.counter.description)
    add(Member.period, name.period.start)
    add(Member.reset) { $0.add(name.reset) }
  }

  fileprivate mutating func add(_ missing: MissingHistory) {
    typealias Member = Counters.MissingHistory.Member
    add(Member.station, missing.station)
    add(Member.counter, missing.counter.description)
    add(Member.known) { known in
      typealias Member = Counters.FleetMark.Member
      known.add(Member.writer, missing.writer.description)
      known.add(Member.number, missing.digest.mark.number)
      known.add(Member.quarter, missing.digest.mark.quarter)
      known.add(Member.sum, missing.digest.sum)
    }
    add(Member.number, missing.mark.number)
    add(Member.quarter, missing.mark.quarter)
  }

  fileprivate mutating func add(_ writer: WriterID, _ register: Register) {
    typealias Member = Counters.FleetRegister.Member
    add(Member.writer, writer.description)
    add(Member.number, register.number)
    add(Member.added, register.added)
    add(Member.subtracted, register.subtracted)
    add(Member.counts, register.counts)
  }
}
