import Calendars
import Fleet
import JSON

/// The times from which totals count: of the last reset or the beginning of the period. Without this time, Home
/// Assistant takes a restarted total for a subtraction.
///
/// The time is not part of the messages between stations. The speaker states the time at which it received the reset,
/// and the others read that time from the state that the broker holds.
///
/// The caller passes only counters that a station counts, and forgets all others, so that invented counters are not
/// stored.
public struct ResetTimes: Equatable, Sendable {
  /// The published times, by counter.
  private var told: [String: String] = [:]
  /// The times of resets that have not been published.
  private var noticed: [String: String] = [:]
  /// Hashes of known resets of other stations, by counter.
  private var known: [String: Set<Int>] = [:]

  static let capacity = 4_096
  /// The maximum number of known resets of a counter.
  static let resetsCapacity = 256
  /// The maximum length of a state in bytes.
  static let stateLength = 65_536
  /// The largest difference between the times at which two stations receive a reset, in seconds.
  private static let tolerance: Int64 = 60

  public init() {}

  /// The value of `since` for a counter; `nil` if no reset is known.
  public func since(_ counter: String) -> String? { noticed[counter] ?? told[counter] }

  /// Records a reset or the beginning of a period at a time, in seconds since 1970.
  public mutating func begin(_ counter: String, at time: Int64) {
    guard noticed.count < Self.capacity || noticed[counter] != nil else { return }
    noticed[counter] = Self.text(time)
  }

  /// Reads resets in a message between stations.
  ///
  /// - Parameters:
  ///   - isNew: whether an unknown reset has just happened.
  ///   - isCounted: whether a station counts the counter with that ID.
  public mutating func read(_ payload: String, isNew: Bool, now: Int64, isCounted: (String) -> Bool) {
    guard Self.mentions(payload), let members = (try? JSON(parsing: payload))?.object,
      let counter = members["counter"]?.string, CounterID(counter) != nil, isCounted(counter)
    else { return }
    for reset in members["resets"]?.array?.prefix(256) ?? [] {
      guard let entry = reset.object?["entry"]?.array, entry.count == 2, let writer = entry[0].string?.prefix(64),
        let number = entry[1].int
      else { continue }
      if known[counter, default: []].count >= Self.resetsCapacity { known[counter] = [] }
      let hash = "\(writer) \(number)".hashValue
      if known[counter, default: []].insert(hash).inserted, isNew { begin(counter, at: now) }
    }
  }

  /// Forgets a counter that no station counts any more.
  public mutating func forget(_ counter: String) { (told[counter], noticed[counter], known[counter]) = (nil, nil, nil) }

  /// Whether a message contains a reset: most do not, and are not parsed here.
  private static func mentions(_ payload: String) -> Bool {
    let word = Array("\"resets\"".utf8)
    let text = Array(payload.utf8)
    return text.indices.dropLast(word.count - 1).contains {
      text[$0] == word[0] && text[$0..<$0 + word.count].elementsEqual(word)
    }
  }

  /// Reads `since` in a state that the broker holds.
  public mutating func hear(_ counter: String, _ state: String, now: Int64) {
    guard state.utf8.count <= Self.stateLength, let since = (try? JSON(parsing: state))?.object?["since"]?.string,
      since.utf8.count == 20,
      since.utf8.allSatisfy({ 0x30...0x39 ~= $0 || "-:TZ".utf8.contains($0) }), since <= Self.text(now + 3_600),
      told.count < Self.capacity || told[counter] != nil
    else { return }
    told[counter] = since
    if let own = noticed[counter],
      own <= since || own <= Self.text(now + Self.tolerance) && since >= Self.text(now - Self.tolerance)
    {
      noticed[counter] = nil
    }
  }

  /// Records that this station has published the state of a counter.
  public mutating func tell(_ counter: String) {
    guard let since = noticed.removeValue(forKey: counter) else { return }
    if told.count < Self.capacity || told[counter] != nil { told[counter] = since }
  }

  /// The time as text, such as `2026-11-25T02:00:00Z`.
  static func text(_ seconds: Int64) -> String {
    let seconds = min(max(seconds, 0), 253_402_300_799)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let second = seconds % 86_400
    return
      "\(CalendarDate(daysSince1970: seconds / 86_400))T\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }
}
