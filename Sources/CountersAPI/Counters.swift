/// The interface `org.tallymark.Counters` in Swift: its methods, types and errors.
///
/// Each name of the interface is spelt once in this module, as the case of an enum. Clients and the core read and write
/// with the same names; a test compares them with the interface's description.
public enum Counters {
  /// The qualified name of the interface.
  public static let interface = "org.tallymark.Counters"

  /// A method; the raw value is its short name.
  public enum Method: String, CaseIterable, Sendable {
    // Questions.
    case list = "List"
    case get = "Get"
    case groups = "Groups"
    case overview = "Overview"
    case history = "History"
    case totals = "Totals"
    case statistics = "Statistics"
    case past = "Past"
    case watch = "Watch"
    // Counting.
    case add = "Add"
    case subtract = "Subtract"
    case reset = "Reset"
    case correct = "Correct"
    case select = "Select"
    case next = "Next"
    case previous = "Previous"
    case start = "Start"
    case stop = "Stop"
    case toggle = "Toggle"
    case lap = "Lap"
    case note = "Note"
    case undo = "Undo"
    case redo = "Redo"
    // Definitions.
    case create = "Create"
    case set = "Set"
    case lock = "Lock"
    case unlock = "Unlock"
    case move = "Move"
    case remove = "Remove"
    case createGroup = "CreateGroup"
    case setGroup = "SetGroup"
    case moveGroup = "MoveGroup"
    case removeGroup = "RemoveGroup"
    case createFormula = "CreateFormula"
    case setFormula = "SetFormula"
    // Archives.
    case export = "Export"
    case `import` = "Import"
    // Deliveries.
    case open = "Open"
    case deliver = "Deliver"
    // Fleets.
    case fleet = "Fleet"
    case joinFleet = "JoinFleet"
    case leaveFleet = "LeaveFleet"
    case shareCounter = "ShareCounter"
    case adoptCounter = "AdoptCounter"
    case forgetStation = "ForgetStation"
    case linkFleet = "LinkFleet"
    case learnFleet = "LearnFleet"
    case reportFleet = "ReportFleet"

    /// The name that a call has on the wire.
    public var qualifiedName: String { "\(Counters.interface).\(rawValue)" }
  }

  /// A parameter of a method, beside the settings, whose names are those of `Counting.Field`.
  public enum Parameter: MemberName, InterfaceMember {
    case name, newName, kind, decimals, clear
    case before, after, first, group, groups, all
    case amount, quantity, value, confirmed, by, time
    case counter, counters, id, producer, device, gesture, from, until, limit, bounds, each, own
    case sequence, text, cause
    case entries, continues, clash, trial
    case epoch, changes
    case broker, fleet, station, bring, new, messages, connected, trouble, brief
  }
}
