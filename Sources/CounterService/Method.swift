import CounterStore
import Counting
import Varlink

/// A method of the interface: its name, the necessary right and its implementation.
struct Method: Sendable {
  let name: String
  let right: Right
  let action: Action

  enum Action: Sendable {
    /// A query of the state in memory.
    case state(Question<State>)
    /// A query of the journal, on a reader thread.
    case journal(Question<Journal>)
    /// The export, in pages or as a stream.
    case export
    /// The state, followed by each change.
    case watch
    /// A single change, whose reply is its event.
    case change(@Sendable (Arguments) throws -> Request.Verb)
    /// The messages of a fleet, as they become known.
    case link
    /// The removal of another station, which waits for the broker.
    case forget
    /// A change with an implementation of its own.
    case perform(@Sendable (Call, Core, Caller) throws -> EncodedObject)
  }

  typealias Question<Source> = @Sendable (Arguments, Source) throws -> EncodedObject

  /// The state in memory.
  struct State: Sendable {
    let ledger: Ledger
    /// The error of the last change, as a sentence; `nil` after a success.
    let trouble: String?
  }

  /// The journal at one moment.
  struct Journal {
    let reader: JournalReader
    /// See ``Core/resetWindow``.
    let resetWindow: Int64
    /// The current time, for stopwatches.
    let now: JournalReader.Now
  }

  /// Whether the method changes nothing, so that a call of a disconnected client can be dropped.
  var isQuestion: Bool {
    switch action {
    case .state, .journal, .export, .watch, .link: true
    case .change, .forget, .perform: false
    }
  }

  /// The method of this name; `nil` if it is not in the table.
  static func named(_ name: String) -> Method? { byName[name] }

  /// The right that a method needs. The default for methods missing from the table is to administer, so that an
  /// omission grants nothing.
  static func right(for name: String) -> Right { byName[name]?.right ?? .administer }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  private init(_ name: String, _ right: Right, _ action: Action) {
    self.name = name
    self.right = right
    self.action = action
  }

  private static func change(
    _ name: String, _ right: Right, _ verb: @escaping @Sendable (Arguments) throws -> Change
  ) -> Method { Method(name, right, .change { .change(try verb($0)) }) }

  /// Every method of the interface.
  static let all: [Method] = [
    Method("List", .read, .state(ReadMethods.list)),
    Method("Get", .read, .state(ReadMethods.get)),
    Method("Groups", .read, .state(ReadMethods.groups)),
    Method("Overview", .read, .state(ReadMethods.overview)),
    Method("History", .read, .journal(ReadMethods.history)),
    Method("Totals", .read, .journal(ReadMethods.totals)),
    Method("Statistics", .read, .journal(ReadMethods.statistics)),
    Method("Past", .read, .journal(ReadMethods.past)),
    Method("Export", .read, .export),
    Method("Watch", .read, .watch),

    change("Add", .count) { .add($0.target("name"), amount: try $0.quantity("amount")) },
    change("Subtract", .count) { .subtract($0.target("name"), amount: try $0.quantity("amount")) },
    change("Select", .count) { .select($0.target("name")) },
    change("Next", .count) { .selectNeighbour(.next, ofGroups: $0["groups"]?.bool ?? false) },
    change("Previous", .count) { .selectNeighbour(.previous, ofGroups: $0["groups"]?.bool ?? false) },
    change("Reset", .count) { .reset(try $0.scope("name"), isConfirmed: $0["confirmed"]?.bool ?? false) },
    change("Correct", .count) { .correct($0.target("name"), to: try $0.needed($0.quantity("value"), "value")) },
    change("Start", .count) { try $0.clock("name", .start) },
    change("Stop", .count) { try $0.clock("name", .stop) },
    change("Toggle", .count) { try $0.clock("name", .toggle) },
    change("Lap", .count) { try $0.clock("name", .lap) },
    Method("Note", .count, .change { .note($0.integer("sequence") ?? 0, $0.text("text")) }),
    Method("Undo", .count, .change { try $0.undo() }),
    Method("Redo", .count, .change { .redo($0.text("counter")) }),
    Method("Open", .count, .perform(WriteMethods.open)),
    Method("Deliver", .count, .perform(WriteMethods.deliver)),

    change("Create", .administer) {
      .create(
        name: $0.text("name") ?? "", decimals: $0.integer("decimals") ?? 0, isStopwatch: try $0.isStopwatch(),
        try $0.settings())
    },
    change("Set", .administer) { .set($0.target("name"), try $0.settings()) },
    change("Lock", .administer) { .lock($0.target("name"), true) },
    change("Unlock", .administer) { .lock($0.target("name"), false) },
    change("Move", .administer) { .move($0.target("name"), to: try $0.place()) },
    change("Remove", .administer) { .remove($0.target("name")) },
    change("CreateGroup", .administer) { .createGroup(name: $0.text("name") ?? "", try $0.settings()) },
    change("SetGroup", .administer) { .setGroup($0.text("name") ?? "", try $0.settings()) },
    change("MoveGroup", .administer) { .moveGroup($0.text("name") ?? "", to: try $0.place()) },
    change("RemoveGroup", .administer) { .removeGroup($0.text("name") ?? "") },
    change("CreateFormula", .administer) { .createFormula(name: $0.text("name") ?? "", try $0.settings()) },
    change("SetFormula", .administer) { .setFormula($0.text("name") ?? "", try $0.settings()) },
    Method("Import", .administer, .perform { call, core, _ in try Archives.take(call, core) }),

    Method("Fleet", .read, .perform(FleetMethods.fleet)),
    Method("JoinFleet", .administer, .perform(FleetMethods.join)),
    Method("LeaveFleet", .administer, .perform(FleetMethods.leave)),
    Method("ShareCounter", .administer, .perform(FleetMethods.share)),
    Method("AdoptCounter", .administer, .perform(FleetMethods.adopt)),
    Method("ForgetStation", .administer, .forget),
    Method("LinkFleet", .share, .link),
    Method("LearnFleet", .share, .perform(FleetMethods.learn)),
    Method("ReportFleet", .share, .perform(FleetMethods.report)),
  ]
}
