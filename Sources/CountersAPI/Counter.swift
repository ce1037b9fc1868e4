public import Counting
public import Varlink

extension Counters {
  /// A counter, as it was when the core replied.
  public struct Counter: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, title, value, start, step, current, id, kind, decimals, colour, icon, note, tags, group, archived,
        locked
      case stepDown, minimum, maximum, limits, target, every, progress, reachedAt, since, elapsed, period, renewsAt,
        began, shared, own
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    public var title: String { self[.title] ?? "" }
    /// In units; for a running stopwatch the time up to ``since``.
    public var value: Int64 { self[.value] ?? 0 }
    /// The value after a reset.
    public var start: Int64 { self[.start] ?? 0 }
    public var step: Int64 { self[.step] ?? 1 }
    public var isCurrent: Bool {
      get { self[.current] ?? false }
      set { self[.current] = newValue }
    }
    public var id: Int64? { self[.id] }
    /// The raw value of a `Counting.Counter.Kind`.
    public var kind: String { self[.kind] ?? Counting.Counter.Kind.simple.rawValue }
    public var decimals: Int64 { self[.decimals] ?? 0 }
    public var colour: String? { self[.colour] }
    public var icon: String? { self[.icon] }
    public var note: String? { self[.note] }
    public var tags: [String] { self[.tags] ?? [] }
    /// The name of its group.
    public var group: String? { self[.group] }
    public var isArchived: Bool { self[.archived] ?? false }
    public var isLocked: Bool { self[.locked] ?? false }
    public var stepDown: Int64? { self[.stepDown] }
    public var minimum: Int64? { self[.minimum] }
    public var maximum: Int64? { self[.maximum] }
    /// The raw value of a `Counting.Counter.Limits`.
    public var limits: String? { self[.limits] }
    public var target: Int64? { self[.target] }
    public var every: Int64? { self[.every] }
    public var progress: Progress? { self[.progress] }
    /// In microseconds since 1970, as the other times.
    public var reachedAt: Int64? { self[.reachedAt] }
    /// When a running stopwatch was started; `nil` for one that does not run.
    public var since: Int64? { self[.since] }
    /// The time that a stopwatch shows, in microseconds.
    public var elapsed: Int64? { self[.elapsed] }
    public var period: String? { self[.period] }
    public var renewsAt: Int64? { self[.renewsAt] }
    public var began: Int64? { self[.began] }
    /// Whether a fleet counts it, so that ``value`` is the total of all stations.
    public var isShared: Bool { self[.shared] ?? false }
    /// The share of the core's station in the total of a shared counter.
    public var own: Int64? { self[.own] }

    public var isStopwatch: Bool { kind == Counting.Counter.Kind.stopwatch.rawValue }
    public var unit: Unit { Unit(isTime: isStopwatch, decimals: decimals) }
  }

  /// The progress of a goal.
  public struct Progress: Structure {
    public enum Member: MemberName, InterfaceMember { case done, left, percent }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var done: Int64 { self[.done] ?? 0 }
    public var left: Int64 { self[.left] ?? 0 }
    public var percent: Int64? { self[.percent] }
  }

  public struct Formula: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, title, id, formula, display, value, text, colour, icon, note, group, archived
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    public var title: String { self[.title] ?? name }
    public var id: Int64? { self[.id] }
    public var formula: String { self[.formula] ?? "" }
    /// The raw value of a `Formulas.Display`.
    public var display: String { self[.display] ?? "" }
    /// A decimal number; `nil` for a formula without a value.
    public var value: String? { self[.value] }
    /// The value in the formula's display format.
    public var text: String? { self[.text] }
    public var colour: String? { self[.colour] }
    public var icon: String? { self[.icon] }
    public var note: String? { self[.note] }
    /// The name of the group.
    public var group: String? { self[.group] }
    public var isArchived: Bool { self[.archived] ?? false }
  }

  public struct Group: Structure {
    public enum Member: MemberName, InterfaceMember { case name, title, id, colour, icon, note }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    public var title: String { self[.title] ?? name }
    public var id: Int64? { self[.id] }
    public var colour: String? { self[.colour] }
    public var icon: String? { self[.icon] }
    public var note: String? { self[.note] }
  }
}

extension Unit {
  /// The unit of numbers of which a reply states one or neither.
  init(isTime: Bool, decimals: Int64?) { self = isTime ? .time : .decimal(decimals ?? 0) }
}
