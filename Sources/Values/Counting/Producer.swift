/// A program of a user that sends numbered deliveries, each of which counts exactly once even if it is repeated.
///
/// Within an epoch the deliveries are numbered 1, 2, 3, …; the last ``window`` of them are stored, and a repeat gets
/// the same reply. Opening the producer starts a new epoch and fences programs that deliver in an older one.
public struct Producer: Equatable, Sendable {
  /// The number of stored deliveries, which is the number that a producer may send before the reply to the first one.
  public static let window: Int64 = 64
  /// The maximum number of events from several changes of one delivery; a single change may make any number.
  public static let mostEvents = 1_000

  /// The identity of a producer. Names are separate for each user, so that no other user can fence a program.
  public struct Key: Hashable, Sendable {
    /// The user ID, from the kernel.
    public let user: UInt32
    /// The name that the program states.
    public let name: String

    public init(user: UInt32, name: String) {
      self.user = user
      self.name = name
    }
  }

  public let number: Int64
  public let epoch: Int64
  private var recent: [Delivery?]
  /// The sequence number of the last delivery of this epoch; 0 before the first.
  public private(set) var last: Int64 = 0

  /// A counted delivery with its events; `nil` if it was an undo that found nothing.
  public struct Delivery: Equatable, Sendable {
    public let epoch: Int64
    public let sequence: Int64
    public let events: ClosedRange<Int64>?

    public init(epoch: Int64, sequence: Int64, events: ClosedRange<Int64>?) {
      self.epoch = epoch
      self.sequence = sequence
      self.events = events
    }

    /// The slot in the window, which a later delivery with the same slot overwrites.
    public var slot: Int64 { sequence % Producer.window }
  }

  public init(number: Int64, epoch: Int64, recent: [Delivery] = []) {
    self.number = number
    self.epoch = epoch
    self.recent = Array(repeating: nil, count: Int(Self.window))
    for delivery in recent where delivery.epoch == epoch { remember(delivery) }
  }

  /// The treatment of a delivery.
  public enum Verdict: Equatable, Sendable {
    case count
    /// A repeat of a delivery with these events.
    case repeated(ClosedRange<Int64>?)
  }

  /// - Throws: ``DeliveryError`` for another epoch than the producer's, a gap, or a repeat outside of the window.
  public func judge(epoch: Int64, sequence: Int64) throws(DeliveryError) -> Verdict {
    guard epoch >= self.epoch else { throw .fenced(by: self.epoch) }
    guard epoch == self.epoch, epoch > 0 else { throw .unknownEpoch }
    if sequence == last &+ 1 { return .count }
    guard sequence <= last, sequence >= 1 else { throw .gap(expected: last &+ 1) }
    guard let delivery = recent[Int(sequence % Self.window)], delivery.sequence == sequence else { throw .forgotten }
    return .repeated(delivery.events)
  }

  /// Stores a counted delivery.
  public mutating func remember(_ delivery: Delivery) {
    guard delivery.sequence >= 1 else { return }
    recent[Int(delivery.slot)] = delivery
    last = max(last, delivery.sequence)
  }
}

/// The reason for refusing a delivery. The error is thrown before any change.
public enum DeliveryError: Error, Equatable, Sendable {
  /// Earlier deliveries are missing.
  case gap(expected: Int64)
  /// The producer was opened again in a later epoch.
  case fenced(by: Int64)
  /// This epoch was not issued to the producer.
  case unknownEpoch
  /// The delivery was counted, but its reply is no longer stored.
  case forgotten
  /// The changes of the delivery would make more events than several changes may make together.
  case tooManyEvents

  /// The reason, as a sentence.
  public var message: String {
    switch self {
    case .gap(let expected): "Delivery \(expected) is expected next; earlier deliveries are missing."
    case .fenced(let epoch):
      "Another program has opened this producer since (epoch \(epoch)); deliveries in older epochs are refused."
    case .unknownEpoch: "This core did not issue this epoch; open the producer again."
    case .forgotten:
      "This delivery was counted, but its reply is no longer stored: only the last \(Producer.window) are."
    case .tooManyEvents: "Several changes together may make at most \(Producer.mostEvents) events."
    }
  }
}
