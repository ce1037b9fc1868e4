import CounterStore
import Counting
import Platform
import Varlink

/// Giving everything away as lines, and taking such lines in.
enum Archives {
  static func export(_ call: Call, _ core: Core) throws -> JSONObject {
    guard let after = call.parameters["after"]?.int else {
      let lines = ArchiveLine.definitions(try core.archive())
      return ["lines": .array(lines.map(JSON.string)), "next": 0]
    }
    let found = try core.search(EventFilter(), .after(after), limit: 2000)
    var reply: JSONObject = ["lines": .array(found.events.map { .string(ArchiveLine.line($0)) })]
    if let next = found.next { reply["next"] = .int(next) }
    return reply
  }

  static func take(_ call: Call, _ core: Core) throws -> JSONObject {
    let lines = (call.parameters["lines"]?.array ?? []).compactMap(\.string)
    guard
      let clash = Archive.Clash(
        rawValue: call.parameters["clash"]?.string ?? Archive.Clash.merge.rawValue)
    else {
      throw VarlinkError.invalidParameter("clash")
    }
    do {
      let archive = try ArchiveLine.archive(lines)
      try archive.check()
      let done = try core.take(
        archive, onClash: clash, isTrial: call.parameters["trial"]?.bool ?? false)
      return [
        "groups": .int(done.groups), "counters": .int(done.counters), "formulas": .int(done.formulas),
        "events": .int(done.events),
        "duplicates": .int(done.duplicates), "names": .array(done.names.map(JSON.string)),
      ]
    } catch let error as LineError {
      throw unfit(error.message)
    } catch let error as ArchiveError {
      throw unfit(error.message)
    }
  }

  private static func unfit(_ message: String) -> VarlinkError {
    VarlinkError("org.tallymark.Counters.BadArchive", ["message": .string(message)])
  }
}
