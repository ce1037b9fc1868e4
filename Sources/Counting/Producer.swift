/// A program of a user that delivers changes under numbers, so that each counts exactly once however often it is sent.
///
/// Within an epoch the deliveries are numbered 1, 2, 3, …; the last ``window`` of them are remembered and get the same
/// answer again. Opening anew starts a new epoch and shuts out whoever still delivers in the old one.
public struct Producer: Equatable, Sendable {
  /// How many deliveries are remembered: how many a producer may send before it has the first one's answer.
  public static let window: Int64 = 64

  /// What tells a producer from all others. A name is its user's own: nobody else's program is shut out by that.
  public struct Key: Hashable, Sendable {
    /// The user whom it runs as, as the kernel says.
    public let user: UInt32
    /// As it calls itself.
    public let name: String

    public init(user: UInt32, name: String) {
      self.user = user
      self.name = name
    }
  }

  public let number: Int64
  public let epoch: Int64
  private var recent: [Delivery?]
  /// The number of the last delivery of this epoch; 0 before the first.
  public private(set) var last: Int64 = 0

  /// A delivery that was counted, with the events that it became; `nil` where there was nothing for it to take back.
  public struct Delivery: Equatable, Sendable {
    public let epoch: Int64
    public let sequence: Int64
    public let events: ClosedRange<Int64>?

    public init(epoch: Int64, sequence: Int64, events: ClosedRange<Int64>?) {
      self.epoch = epoch
      self.sequence = sequence
      self.events = events
    }

    /// Its place in the window: a later delivery of the same place replaces it.
    public var slot: Int64 { sequence % Producer.window }
  }

  public init(number: Int64, epoch: Int64, recent: [Delivery] = []) {
    self.number = number
    self.epoch = epoch
    self.recent = Array(repeating: nil, count: Int(Self.window))
    for delivery in recent where delivery.epoch == epoch { remember(delivery) }
  }

  /// What is to be done with a delivery.
  public enum Verdict: Equatable, Sendable {
    case count
    /// It was counted before, as these events.
    case repeated(ClosedRange<Int64>?)
  }

  /// - Throws: a ``DeliveryError`` for an epoch that is not the producer's, a gap, or a repeat out of the window.
  public func judge(epoch: Int64, sequence: Int64) throws(DeliveryError) -> Verdict {
    guard epoch >= self.epoch else { throw .fenced(by: self.epoch) }
    guard epoch == self.epoch, epoch > 0 else { throw .unknownEpoch }
    if sequence == last &+ 1 { return .count }
    guard sequence <= last, sequence >= 1 else { throw .gap(expected: last &+ 1) }
    guard let delivery = recent[Int(sequence % Self.window)], delivery.sequence == sequence else { throw .forgotten }
    return .repeated(delivery.events)
  }

  /// Notes a delivery that was counted.
  public mutating func remember(_ delivery: Delivery) {
    guard delivery.sequence >= 1 else { return }
    recent[Int(delivery.slot)] = delivery
    last = max(last, delivery.sequence)
  }
}

/// Why a delivery was not counted. Nothing has changed when one of these is thrown.
public enum DeliveryError: Error, Equatable, Sendable {
  /// Deliveries are missing before this one.
  case gap(expected: Int64)
  /// The producer was opened anew since; whoever sent this is not the one that counts now.
  case fenced(by: Int64)
  /// The producer was never opened in this epoch here.
  case unknownEpoch
  /// It was counted, so long ago that its answer is not remembered.
  case forgotten

  /// What was wrong, in a sentence.
  public var message: String {
    switch self {
    case .gap(let expected): "Delivery \(expected) is expected next; the ones before this one are missing."
    case .fenced(let epoch): "Another program delivers under this name since (epoch \(epoch)); this one was shut out."
    case .unknownEpoch: "This epoch was never opened here; open the producer again."
    case .forgotten: "This delivery was counted, but only the last \(Producer.window) answers are remembered."
    }
  }
}
