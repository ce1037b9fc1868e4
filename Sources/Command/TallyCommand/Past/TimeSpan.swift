public import ArgumentParser
import Calendars
import Linux
public import Reports

/// The options of a time range.
struct TimeSpan: ParsableArguments {
  @Option(help: ArgumentHelp("Start time: 14:05, yesterday 9:00, 2026-11-21.", valueName: "time"))
  var from: String?
  @Option(help: ArgumentHelp("End time, which is not included.", valueName: "time")) var until: String?

  /// The range in microseconds since 1970.
  func moments() throws -> (from: Int64?, until: Int64?) {
    let (from, until) = (try from.map(Self.moment), try until.map(Self.moment))
    if let from, let until, from >= until { throw ValidationError("--until must be later than --from.") }
    return (from, until)
  }

  /// Parses a time option.
  static func moment(_ text: String) throws -> Int64 {
    do throws(TimeError) {
      return try TimeText.moment(text, now: Clock.microsecondsSince1970(), in: Zone.local)
    } catch {
      throw ValidationError(error.message)
    }
  }
}

extension TimeUnit: ExpressibleByArgument {}
