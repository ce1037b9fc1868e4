public import Counting
public import Varlink

extension Counters {
  public struct Event: Structure {
    public enum Member: MemberName, InterfaceMember {
      case sequence, time, kind, counter, change, value, undoes, cause, id, decimals, stopwatch, group, formula, began
      case reached, until, standing, boundary, limited, lap, batch, about, note, alterations
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var sequence: Int64 { self[.sequence] ?? 0 }
    /// In microseconds since 1970, as the other times.
    public var time: Int64 { self[.time] ?? 0 }
    /// The kind in words; a newer core may have kinds that ``knownKind`` lacks.
    public var kind: String { self[.kind] ?? "" }
    public var knownKind: Counting.Event.Kind? { .init(rawValue: kind) }
    /// The counter's name; empty for an event of a group, of a formula or of all counters.
    public var counter: String { self[.counter] ?? "" }
    public var change: Int64 { self[.change] ?? 0 }
    /// The value after the event.
    public var value: Int64 { self[.value] ?? 0 }
    public var undoes: Int64? { self[.undoes] }
    public var cause: Cause { self[.cause] ?? Cause() }
    public var id: Int64? { self[.id] }
    public var group: String? { self[.group] }
    public var formula: String? { self[.formula] }
    public var began: Int64? { self[.began] }
    public var isReached: Bool { self[.reached] ?? false }
    /// The end of the time in which a second reset confirms an armed one; with ``standing`` the end of the period.
    public var until: Int64? { self[.until] }
    /// The counter's value, if the event is a count of a period that ended ``until`` then.
    public var standing: Int64? { self[.standing] }
    public var boundary: Int64? { self[.boundary] }
    public var isLimited: Bool { self[.limited] ?? false }
    public var lap: Int64? { self[.lap] }
    public var batch: Int64? { self[.batch] }
    public var about: Int64? { self[.about] }
    public var note: String? { self[.note] }
    /// `nil` for an event that changed no setting.
    public var alterations: [Alteration]? { self[.alterations] }

    public var unit: Unit { Unit(isTime: self[.stopwatch] ?? false, decimals: self[.decimals]) }
  }

  /// Who or what made an event happen.
  public struct Cause: Structure {
    public enum Member: MemberName, InterfaceMember { case producer, device, gesture }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(producer: String, device: String? = nil, gesture: String? = nil) {
      object = [:]
      self[.producer] = producer
      self[.device] = device
      self[.gesture] = gesture
    }

    public var producer: String { self[.producer] ?? "" }
    public var device: String? { self[.device] }
    public var gesture: String? { self[.gesture] }
  }

  /// A change of a setting by an event.
  public struct Alteration: Structure {
    public enum Member: MemberName, InterfaceMember { case field, before, after }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// The raw value of a `Counting.Field`.
    public var field: String { self[.field] ?? "" }
    public var before: String? { self[.before] }
    public var after: String? { self[.after] }
  }
}
