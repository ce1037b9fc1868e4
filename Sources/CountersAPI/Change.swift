public import Varlink

extension Counters {
  /// One change of a delivery.
  public struct Change: Structure {
    public enum Member: MemberName, InterfaceMember {
      case verb, counter, amount, time, device, gesture, made, group, all, quantity, groups, together
    }

    /// The verbs; the raw value is the one on the wire.
    public enum Verb: String, CaseIterable, Sendable {
      case add, subtract, select, next, previous, reset, undo, redo, start, stop, toggle, lap
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// The raw value of a ``Verb``.
    public var verb: String? {
      get { self[.verb] }
      set { self[.verb] = newValue }
    }
    /// The counter's name; `nil` for the current counter.
    public var counter: String? {
      get { self[.counter] }
      set { self[.counter] = newValue }
    }
    /// In the counter's unit; `nil` for its step.
    public var amount: Int64? {
      get { self[.amount] }
      set { self[.amount] = newValue }
    }
    /// The amount as people write it.
    public var quantity: String? {
      get { self[.quantity] }
      set { self[.quantity] = newValue }
    }
    /// In microseconds since 1970; `nil` for now.
    public var time: Int64? {
      get { self[.time] }
      set { self[.time] = newValue }
    }
    public var device: String? {
      get { self[.device] }
      set { self[.device] = newValue }
    }
    public var gesture: String? {
      get { self[.gesture] }
      set { self[.gesture] = newValue }
    }
    /// With ``Verb/undo``: the time of the change to be taken back.
    public var made: Int64? {
      get { self[.made] }
      set { self[.made] = newValue }
    }
    /// With ``Verb/reset`` and the verbs of stopwatches: the group whose counters are meant.
    public var group: String? {
      get { self[.group] }
      set { self[.group] = newValue }
    }
    /// With ``Verb/next`` and ``Verb/previous``: whether groups are meant.
    public var groups: Bool {
      get { self[.groups] ?? false }
      set { self[.groups] = newValue ? true : nil }
    }
    /// Whether the change is undone together with the one before it in the delivery.
    public var isTogether: Bool {
      get { self[.together] ?? false }
      set { self[.together] = newValue ? true : nil }
    }
    /// With the verbs that take a group: whether all counters are meant.
    public var isAll: Bool {
      get { self[.all] ?? false }
      set { self[.all] = newValue ? true : nil }
    }
  }
}
