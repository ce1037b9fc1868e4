import CoreAPI
import Counting
import Fleet
import JSON
import Linux

/// Reports everything known here, also of other stations, which may be offline or lost.
extension FleetService {
  /// The times between reports, in nanoseconds.
  struct ReportPace: Sendable {
    /// The shortest time between two reports.
    var interval: Int64 = 10_000_000_000
    /// The shortest time between a report and the first one after a connection.
    var connectionInterval: Int64 = 3_000_000_000
    /// The shortest time until a report. After a connection the retained counts arrive first.
    var delay: Int64 = 1_500_000_000
  }

  /// The number of a counter's newest periods that are reported completely, with the counts of others.
  private static let knownPeriods = 4
  /// The maximum number of rows in a report.
  private static let reportRows = 1_000
  /// The maximum length of a message `knows` without its head, in bytes.
  private static let knownLength = 15_000
  /// The maximum lengths of an entry and of a counter in a message `knows`, in bytes.
  private static let (entryLength, counterLength) = (90, 40)

  /// Arms the timer of the next report, if there is anything to report.
  func scheduleReport() {
    let hasNews = bridge.isReportingAll || !bridge.turns.isEmpty
    guard hasNews || history.isTellingAll || !history.changed.isEmpty, !bridge.isEmpty else { return }
    let interval = history.isTellingAll ? reportPace.connectionInterval : reportPace.interval
    let due = max(Clock.boottime() &+ reportPace.delay, bridge.lastReport &+ interval)
    guard due < bridge.nextReport ?? .max else { return }
    bridge.nextReport = due
    reporting?.arm(at: due)
  }

  /// Schedules a complete report for a station that has just appeared. Some brokers do not deliver retained messages,
  /// so the report also has the settings of counters, and the counts that this station kept after resets.
  func reportAll() {
    // This report serves all stations that appear before it is sent.
    (bridge.isReportingAll, bridge.isDefining) = (true, true)
    scheduleReport()
  }

  func reportKnowledge() {
    bridge.nextReport = nil
    core.showLearned(isDue: true)
    core.whenDurable { [weak self] outcome in
      guard let self, case .durable = outcome, membership != nil else { return }
      bridge.lastReport = Clock.boottime()
      bridge.send(report())
      scheduleReport()
    }
  }

  /// Returns the next report, and marks its rows as reported. Everything must be committed.
  func report() -> [Counters.Publication] {
    if bridge.isReportingAll { for period in newestPeriods(Self.knownPeriods) { bridge.turns.begin(period) } }
    let settings = bridge.isDefining ? member.counters.keys.flatMap(definition(of:)) + allKept() : []
    (bridge.isReportingAll, bridge.isDefining) = (false, false)
    return settings + historyNews() + knowledge()
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
