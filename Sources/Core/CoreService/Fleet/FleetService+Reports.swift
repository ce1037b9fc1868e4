import CoreAPI
import Counting
import Fleet
import JSON
import Linux

/// Reports everything known here, also of other stations, which may be offline or lost.
extension FleetService {
  /// The parts of a report beside the news.
  struct ReportParts {
    /// Whether it has all known counts, not only changed ones.
    var isAll = false
    /// Whether it has the settings of all counters, and the counts that this station kept after resets.
    var hasSettings = false
    /// Whether it compares the histories of all writers.
    var hasDigests = false
  }

  /// The number of a counter's newest periods that are reported completely, with the counts of others.
  private static let knownPeriods = 4
  /// The maximum number of rows in a report.
  private static let reportRows = 1_000
  /// The maximum length of a message `knows` without its head, in bytes.
  private static let knownLength = 15_000
  /// The maximum lengths of an entry and of a counter in a message `knows`, in bytes.
  private static let (entryLength, counterLength) = (90, 40)

  /// Tells the bridges once that there is something to report. They ask for the report when it is time.
  func offerReport() {
    guard !bridge.isReportOffered, !bridge.turns.isEmpty || !history.changed.isEmpty else { return }
    bridge.isReportOffered = true
    bridge.send(.reportable) { $0.add(Counters.LinkFleetReply.Member.reportable, true) }
  }

  /// Sends the next report on the links, with everything that is committed by then. A bridge that asks too soon only
  /// hears again that there is something to report.
  func sendReport(_ parts: ReportParts, at now: Int64 = Clock.boottime()) {
    guard bridge.takeReport(at: now) else {
      bridge.isReportOffered = false
      return offerReport()
    }
    bridge.isReportOffered = true
    core.showLearned(isDue: true)
    core.whenDurable { [weak self] outcome in
      guard let self else { return }
      if case .durable = outcome, membership != nil { bridge.send(report(parts)) }
      bridge.isReportOffered = false
      offerReport()
    }
  }

  /// Returns the next report, and marks its rows as reported. Everything must be committed.
  func report(_ parts: ReportParts = .init()) -> [Counters.Publication] {
    if parts.isAll { for period in newestPeriods(Self.knownPeriods) { bridge.turns.begin(period) } }
    let settings = parts.hasSettings ? member.counters.keys.flatMap(definition(of:)) + allKept() : []
    return settings + historyNews(isAll: parts.hasDigests) + knowledge()
  }

  /// The next rows of the known counts, and the clock.
  private func knowledge() -> [Counters.Publication] {
    guard let membership else { return [] }
    let station = member.station
    let rows = bridge.turns.next(Self.reportRows, of: station)
    var latest: [CounterID: [WriterID: Int64]] = [:]
    for (period, rows) in rows {
      let registers = station.knowledge[period].registers
      for case .register(let writer) in rows {
        guard let number = registers[writer]?.number else { continue }
        latest[period.counter, default: [:]][writer] = max(number, latest[period.counter]?[writer] ?? 0)
      }
    }
    let entries = latest.flatMap { counter, numbers in numbers.map { (counter, $0.key, $0.value) } }
    var messages: [Counters.Publication] = []
    var rest = entries[...]
    repeat {
      var counters: [String: JSONObject] = [:]
      var length = 0
      while let (counter, writer, number) = rest.first {
        let text = counter.description
        length += Self.entryLength + (counters[text] == nil ? Self.counterLength : 0)
        guard length <= Self.knownLength else { break }
        counters[text, default: [:]][writer.description] = .int(number)
        rest = rest.dropFirst()
      }
      var members: JSONObject = ["version": 1, "time": .int(Clock.microsecondsSince1970())]
      if let writer = station.writer {
        (members["writer"], members["number"]) = (.string(writer.description), .int(station.number))
      }
      var named: JSONObject = [:]
      for (counter, numbers) in counters { named[counter] = .object(numbers) }
      members["counters"] = .object(named)
      messages.append(Counters.Publication("\(membership.station)/knows", isRetained: false, members.description))
    } while !rest.isEmpty
    for (period, rows) in rows {
      for message in station.summary(of: period, rows) {
        messages.append(
          Counters.Publication("\(membership.station)/knows/\(period.counter)", isRetained: false, message.text))
      }
    }
    return messages
  }
}
