import Calendars
import Platform
import Varlink

/// Times in files are written for people and programs: ISO 8601 with the offset from universal time.
enum ExchangeTime {
  /// A line of the core with its time in words.
  static func spelt(_ line: JSON) -> JSON {
    guard var event = line.object?["event"]?.object, let time = event["time"]?.int else {
      return line
    }
    event["time"] = .string(LocalTime(microseconds: time).iso8601)
    return .object(["event": .object(event)])
  }

  /// The line as the core takes it.
  static func counted(_ line: JSON) throws(TimeError) -> JSON {
    guard var event = line.object?["event"]?.object, let text = event["time"]?.string else {
      return line
    }
    event["time"] = .int(try moment(text))
    return .object(["event": .object(event)])
  }

  static func moment(_ text: String) throws(TimeError) -> Int64 {
    try TimeText.moment(text, now: Clock.microsecondsSince1970(), in: TimeSpan.zone)
  }
}
