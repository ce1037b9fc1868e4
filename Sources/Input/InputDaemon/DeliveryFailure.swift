/// Why the core did not do what it was asked.
public enum DeliveryFailure: Error, Equatable, Sendable {
  /// The core expects another number: something before this one did not arrive.
  case gap(String)
  /// Somebody has opened a newer epoch under the same producer's name.
  case fenced(String)
  /// The core never gave that epoch out: it has another state than before.
  case unknownEpoch(String)
  /// It was recorded earlier, and its answer is no longer known.
  case forgotten
  /// Nothing was recorded, and that is not the gesture's fault: a full disk, no right to count, another service.
  case unable(String)
  /// The core will never have this gesture as it is; its number is still free.
  case refused(String)

  /// A sentence for the person who must act.
  public var reason: String {
    switch self {
    case .gap(let reason), .fenced(let reason), .unknownEpoch(let reason), .unable(let reason), .refused(let reason):
      reason
    case .forgotten: "It was recorded earlier."
    }
  }
}
