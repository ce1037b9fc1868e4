import Calendars
import Platform
import Plots
import Varlink

/// Conversion of times in files, which are ISO 8601 with the UTC offset.
enum ExchangeTime {
  /// An entry of the core with an ISO 8601 time.
  static func spelt(_ entry: JSONObject) -> JSONObject {
    guard var event = entry["event"]?.object, let time = event["time"]?.int else { return entry }
    event["time"] = .string(LocalTime(microseconds: time).iso8601)
    return ["event": .object(event)]
  }

  /// An entry with its time in microseconds, for the core.
  static func counted(_ line: JSON) throws(TimeError) -> JSON {
    guard var event = line.object?["event"]?.object, let text = event["time"]?.string else {
      return line
    }
    event["time"] = .int(try moment(text))
    return .object(["event": .object(event)])
  }

  static func moment(_ text: String) throws(TimeError) -> Int64 {
    try TimeText.moment(text, now: Clock.microsecondsSince1970(), in: Zone.local)
  }
}
