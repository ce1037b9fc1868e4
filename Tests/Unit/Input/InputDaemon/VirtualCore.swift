import CoreAPI
import InputDaemon

/// The core's side of the delivery contract, without a socket: what it does is what the interface promises.
struct VirtualCore {
  /// The gestures that count, in the order in which they were recorded.
  private(set) var recorded: [Delivery] = []
  /// How many repeats were recognised as such.
  private(set) var duplicates = 0
  /// How many deliveries were refused, or could not be recorded.
  private(set) var refusals = 0
  private var newestEpoch: Int64 = 0
  private var last: Int64 = 0
  private var counted: DeliveryQueue.Number?
  /// Whether a delivery is one that this core refuses.
  var refuses: (Delivery) -> Bool = { _ in false }
  /// Whether recording fails now.
  var isFull = false

  mutating func handle(_ request: DeliveryQueue.Request) -> DeliveryQueue.Answer {
    switch request {
    case .open:
      newestEpoch += 1
      last = 0
      return .opened(epoch: newestEpoch, last: counted)
    case .deliver(let number, let delivery):
      let (epoch, sequence) = (number.epoch, number.sequence)
      if epoch > newestEpoch { return .failed(.unknownEpoch("")) }
      if epoch < newestEpoch { return .failed(.fenced("")) }
      if sequence <= last {
        duplicates += 1
        return sequence == last ? .delivered : .failed(.forgotten)
      }
      if sequence > last + 1 { return .failed(.gap("")) }
      if refuses(delivery) || isFull {
        refusals += 1
        return .failed(isFull ? .unable("") : .refused(""))
      }
      recorded.append(delivery)
      last = sequence
      counted = number
      return .delivered
    }
  }

  /// Another state than before: no epoch is known.
  mutating func forgetEpochs() {
    newestEpoch = 0
    last = 0
  }

  /// Another process opens an epoch.
  mutating func fence() {
    newestEpoch += 1
    last = 0
  }
}

/// A change of the current counter by a press.
func change(
  _ verb: String, at time: Int64 = 0, device: String = "pedal", group: String? = nil, isAll: Bool = false,
  isGroups: Bool = false, isTogether: Bool = false
) -> Counters.Change {
  Counters.Change(
    verb: verb, time: time, device: device, gesture: "press", group: group, isAll: isAll, isGroups: isGroups,
    isTogether: isTogether)
}

/// A delivery that can be told from all others.
func delivery(_ number: Int) -> Delivery { Delivery([change("add", at: Int64(number))]) }
