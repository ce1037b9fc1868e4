import Counting

/// The identity of an event, equal for copies in several journals.
struct EventContent: Hashable {
  let time: Int64
  let kind: Event.Kind
  let change: Int64
  let cause: Cause

  init(_ event: Event, ignoringChange: Bool = false) {
    (time, kind, cause) = (event.identifyingTime, event.kind, event.cause.withoutFile)
    change = ignoringChange ? 0 : event.change
  }
}

/// An event of a local counter, without its position in a journal.
struct CounterEvent: Hashable {
  private let counter: Counter.ID
  private let content: EventContent

  init(_ counter: Counter.ID, _ event: Event, ignoringChange: Bool = false) {
    self.counter = counter
    content = EventContent(event, ignoringChange: ignoringChange)
  }
}

/// The counter, time and cause of a count, without its amount. A difference has those of the row to which it was added.
struct CountMoment: Hashable {
  private let counter: Counter.ID
  private let time: Int64
  private let cause: Cause

  /// - Parameter time: instead of that of the event.
  init(_ event: Event, at time: Int64? = nil) {
    (counter, self.time) = (event.counter, time ?? event.identifyingTime)
    cause = event.cause.withoutFile.withoutDifference
  }
}

extension Event {
  /// The time as a part of the identity: none for a row of a day, whose time follows from the period that the counter
  /// had at the import.
  fileprivate var identifyingTime: Int64 { cause.isOfDay ? 0 : time }
}

/// The causes of the counts that an import makes of a table: their device is the name of the file.
extension Cause {
  /// The beginning of the gesture of a row that has a day without a time, such as `day 2026-11-21`.
  static let day = "\(gestureOfDay) "
  static let gestureOfDay = "day"
  private static let difference = "difference"

  var isOfDay: Bool { producer == Self.importer && gesture?.hasPrefix(Self.day) == true }

  /// Whether it is that of the difference which an import added to what an earlier one had brought.
  var isOfDifference: Bool { producer == Self.importer && gesture?.hasSuffix(Self.difference) == true }

  /// The cause of a difference to a count with this cause.
  var ofDifference: Cause { with(gesture: [gesture, Self.difference].compactMap(\.self).joined(separator: " ")) }

  fileprivate var withoutDifference: Cause {
    guard isOfDifference, let gesture else { return self }
    let row = gesture.dropLast(Self.difference.count + 1)
    return with(gesture: row.isEmpty ? nil : String(row))
  }

  /// The cause without the file of an import, which may have another name the next time.
  fileprivate var withoutFile: Cause { producer == Self.importer ? Cause(producer: producer, gesture: gesture) : self }

  private func with(gesture: String?) -> Cause { Cause(producer: producer, device: device, gesture: gesture) }
}
