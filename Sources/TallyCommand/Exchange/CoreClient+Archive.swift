import Varlink

extension CoreClient {
  /// Hands on the lines of an archive: first what there is, then, if wanted, everything that happened.
  func eachArchiveLine(withHistory: Bool, _ each: (JSON) throws -> Void) throws {
    var parameters: JSONObject = [:]
    while true {
      let reply = try call("Export", parameters)
      for line in reply["lines"]?.array ?? [] { try each(try JSON(parsing: line.string ?? "")) }
      guard withHistory, let next = reply["next"]?.int else { return }
      parameters["after"] = .int(next)
    }
  }

  /// Has lines taken in, and says what that did.
  func take(_ lines: [String], clash: String, dryRun: Bool, _ options: CommonOptions) throws {
    // The core hangs up on a long message of somebody who may not administer; a short one is answered with the reason.
    _ = try call("Import", ["lines": [], "trial": true])
    let reply = try call(
      "Import",
      ["lines": .array(lines.map(JSON.string)), "clash": .string(clash), "trial": .bool(dryRun)])
    if options.json { return Output.line(JSON.object(reply).description) }
    let (counters, events) = (reply["counters"]?.int ?? 0, reply["events"]?.int ?? 0)
    let formulas = reply["formulas"]?.int ?? 0
    let duplicates = reply["duplicates"]?.int ?? 0
    let names = (reply["names"]?.array ?? []).compactMap(\.string)
    func things(_ count: Int64, _ word: String) -> String {
      "\(count) \(word)\(count == 1 ? "" : "s")"
    }
    var line = dryRun ? "Would take in " : "Took in "
    line +=
      events == 0 && counters == 0
      ? "nothing"
      : things(counters, "new counter") + (formulas > 0 ? ", \(things(formulas, "new formula"))" : "")
        + " and \(things(events, "event"))"
    if duplicates > 0 { line += "; \(duplicates) \(duplicates == 1 ? "was" : "were") here already" }
    Output.line(line + ".")
    if !names.isEmpty {
      Output.line(
        "Counters: \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : "")")
    }
  }
}
