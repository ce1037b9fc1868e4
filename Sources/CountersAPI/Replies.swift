public import Counting
public import Varlink

/// A reply to a change, which states a cause.
public protocol ChangeReply: Structure {}

extension Counters {
  /// The reply to a change of counters.
  public struct Changed: ChangeReply {
    public enum Member: MemberName, InterfaceMember { case event }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var event: Event { self[.event] ?? Event() }
  }

  /// The reply to `List`.
  public struct Listing: Structure {
    public enum Member: MemberName, InterfaceMember { case counters, formulas, trouble }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var counters: [Counter] { self[.counters] ?? [] }
    public var formulas: [Formula] { self[.formulas] ?? [] }
    /// Why the last change could not be stored; a sentence.
    public var trouble: String? { self[.trouble] }
  }

  /// The reply to `Get`.
  public struct Found: Structure {
    public enum Member: MemberName, InterfaceMember { case counter }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var counter: Counter { self[.counter] ?? Counter() }
  }

  /// The reply to `Groups`.
  public struct GroupList: Structure {
    public enum Member: MemberName, InterfaceMember { case groups }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var groups: [Group] { self[.groups] ?? [] }
  }

  /// The reply to `Overview`.
  public struct Overview: Structure {
    public enum Member: MemberName, InterfaceMember { case group, members, sum, decimals, stopwatches, highest, lowest }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var group: String? { self[.group] }
    public var members: [GroupMember] { self[.members] ?? [] }
    public var sum: Int64? { self[.sum] }
    /// The name of the first counter with the highest value.
    public var highest: String? { self[.highest] }
    public var lowest: String? { self[.lowest] }
    /// The unit of ``sum``.
    public var unit: Unit { Unit(isTime: self[.stopwatches] ?? false, decimals: self[.decimals]) }
  }

  /// A counter in an ``Overview``; the interface's `Member`.
  public struct GroupMember: Structure {
    public enum Member: MemberName, InterfaceMember { case counter, share }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var counter: Counter { self[.counter] ?? Counter() }
    /// Its part of the sum, in tenths of a per cent.
    public var share: Int64? { self[.share] }
  }

  /// The reply to `Past`.
  public struct PastValues: Structure {
    public enum Member: MemberName, InterfaceMember { case values, formulas }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var values: [PastValue] { self[.values] ?? [] }
    public var formulas: [PastFormula] { self[.formulas] ?? [] }
  }

  /// The value of a formula at an earlier time.
  public struct PastFormula: Structure {
    public enum Member: MemberName, InterfaceMember { case name, value, text }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    /// As in ``Formula/value``; `nil` where it had none at that time.
    public var value: String? { self[.value] }
    public var text: String? { self[.text] }
  }

  /// The value of a counter at an earlier time.
  public struct PastValue: Structure {
    public enum Member: MemberName, InterfaceMember { case name, value }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    /// `nil` where the counter did not exist at that time.
    public var value: Int64? { self[.value] }
  }

  /// One reply to `Watch`: the counters, or an event with what it changed.
  public struct Watched: Structure {
    public enum Member: MemberName, InterfaceMember { case counters, event, counter, formulas, current, resynchronise }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// `nil` in a reply that tells of an event or of formulas.
    public var counters: [Counter]? { self[.counters] }
    public var event: Event? { self[.event] }
    public var counter: Counter? { self[.counter] }
    public var formulas: [Formula] { self[.formulas] ?? [] }
    /// The name of the current counter.
    public var current: String? { self[.current] }
    /// Whether events were left out before this reply.
    public var isResynchronised: Bool { self[.resynchronise] ?? false }
  }

  /// The reply to `Export`.
  public struct Exported: Structure {
    public enum Member: MemberName, InterfaceMember { case entries, next }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// The entries of a page.
    public var entries: [JSON] { self[.entries] ?? [] }
    /// The event after which the next page begins.
    public var next: Int64? { self[.next] }
  }

  /// The reply to `Import`.
  public struct Imported: ChangeReply {
    public enum Member: MemberName, InterfaceMember {
      case groups, counters, formulas, events, duplicates, names, changed
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var groups: Int64 { self[.groups] ?? 0 }
    public var counters: Int64 { self[.counters] ?? 0 }
    public var formulas: Int64 { self[.formulas] ?? 0 }
    public var events: Int64 { self[.events] ?? 0 }
    public var duplicates: Int64 { self[.duplicates] ?? 0 }
    /// The counters that are new or were changed.
    public var names: [String] { self[.names] ?? [] }
    /// Those of them that still exist, as they are after the import, or would be.
    public var changed: [Counter] { self[.changed] ?? [] }
  }

  /// The reply to `Open`.
  public struct Opened: Structure {
    public enum Member: MemberName, InterfaceMember { case epoch, last }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var epoch: Int64? { self[.epoch] }
    /// The last delivery that was counted before.
    public var last: DeliveryNumber? { self[.last] }
  }

  /// The number of a delivery.
  public struct DeliveryNumber: Structure {
    public enum Member: MemberName, InterfaceMember { case epoch, sequence }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var epoch: Int64? { self[.epoch] }
    public var sequence: Int64? { self[.sequence] }
  }

  /// The reply to `Deliver`.
  public struct Delivered: Structure {
    public enum Member: MemberName, InterfaceMember { case duplicate, events }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var isDuplicate: Bool { self[.duplicate] ?? false }
    public var events: [Event] { self[.events] ?? [] }
  }
}
