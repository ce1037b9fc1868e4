import ArgumentParser
import Calendars
import Platform

/// From when until when, as a person says it.
struct TimeSpan: ParsableArguments {
  @Option(help: ArgumentHelp("From this time on: 14:05, yesterday 9:00, 2026-11-21.", valueName: "time"))
  var from: String?
  @Option(help: ArgumentHelp("Before this time.", valueName: "time")) var until: String?

  /// The moments that are meant, in microseconds since 1970.
  func moments() throws -> (from: Int64?, until: Int64?) {
    let (from, until) = (try from.map(Self.moment), try until.map(Self.moment))
    if let from, let until, from >= until { throw ValidationError("--until must be later than --from.") }
    return (from, until)
  }

  static let zone = (try? ZoneFolder().local()) ?? .utc

  /// What a person means by a time.
  static func moment(_ text: String) throws -> Int64 {
    do throws(TimeError) {
      return try TimeText.moment(text, now: Clock.microsecondsSince1970(), in: zone)
    } catch {
      throw ValidationError(error.message)
    }
  }
}
