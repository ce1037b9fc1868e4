extension DeliveryQueue {
  /// What must outlive the process for a gesture to be counted once although its process died: what the core has not
  /// acknowledged, and under which numbers it was or will be sent.
  public struct State: Equatable, Sendable {
    /// The epoch in which the numbers hold; nil where nothing of `waiting` was ever sent.
    public var epoch: Int64?
    /// The number of the first of `waiting`; those behind it follow.
    public var first: Int64
    public var waiting: [Delivery]
    /// The latest deliveries, those that are acknowledged included.
    public var taken = TakenGestures()

    public init(epoch: Int64? = nil, first: Int64 = 1, waiting: [Delivery] = []) {
      self.epoch = epoch
      self.first = max(1, first)
      self.waiting = waiting
    }
  }
}
