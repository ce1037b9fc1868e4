import Calendars
import CoreAPI
import Counting
import JSON
import Journal
import Varlink

/// A method of the interface: its name, the necessary right and its implementation.
struct Method: Sendable {
  let name: Counters.Method
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
    /// The messages of a fleet, as they arrive.
    case link
    /// The removal of another station. The reply waits for the broker.
    case forget
    /// A change with a special implementation.
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
    /// See ``Ledger/zone``.
    let zone: @Sendable (String?) throws(ZoneError) -> Zone
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

  /// The method of this short name; `nil` if it is not in the table.
  static func named(_ name: String) -> Method? { Counters.Method(rawValue: name).flatMap { byName[$0] } }

  /// The right that a method needs. The default for methods missing from the table is to administer, so that an
  /// omission grants nothing.
  static func right(for name: String) -> Right { named(name)?.right ?? .administer }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  private init(_ name: Counters.Method, _ right: Right, _ action: Action) {
    self.name = name
    self.right = right
    self.action = action
  }

  private static func change(
    _ name: Counters.Method, _ right: Right, _ verb: @escaping @Sendable (Arguments) throws -> Change
  ) -> Method { Method(name, right, .change { .change(try verb($0)) }) }

  static let all: [Method] = [
    Method(.list, .read, .state(ReadMethods.list)),
    Method(.get, .read, .state(ReadMethods.get)),
    Method(.groups, .read, .state(ReadMethods.groups)),
    Method(.overview, .read, .state(ReadMethods.overview)),
    Method(.history, .read, .journal(ReadMethods.history)),
    Method(.totals, .read, .journal(ReadMethods.totals)),
    Method(.statistics, .read, .journal(ReadMethods.statistics)),
    Method(.past, .read, .journal(ReadMethods.past)),
    Method(.earlyEnds, .read, .perform { call, core, _ in try ReadMethods.earlyEnds(call, core) }),
    Method(.export, .read, .export),
    Method(.watch, .read, .watch),

    change(.add, .count) { .add($0.target(.counter), amount: try $0.quantity(.amount)) },
    change(.subtract, .count) { .subtract($0.target(.counter), amount: try $0.quantity(.amount)) },
    change(.select, .count) { .select($0.target(.counter)) },
    change(.next, .count) { .selectNeighbour(.next, ofGroups: $0[.groups]?.bool ?? false) },
    change(.previous, .count) { .selectNeighbour(.previous, ofGroups: $0[.groups]?.bool ?? false) },
    change(.reset, .count) { .reset(try $0.scope(), isConfirmed: $0[.confirmed]?.bool ?? false) },
    change(.correct, .count) { .correct($0.target(.counter), to: try $0.needed($0.quantity(.value), .value)) },
    change(.start, .count) { try $0.clock(.start) },
    change(.stop, .count) { try $0.clock(.stop) },
    change(.toggle, .count) { try $0.clock(.toggle) },
    change(.lap, .count) { try $0.clock(.lap) },
    Method(.note, .count, .change { .note($0.integer(.sequence) ?? 0, $0.text(.text)) }),
    Method(.undo, .count, .change { try $0.undo() }),
    Method(.redo, .count, .change { .redo($0.text(.counter)) }),
    Method(.open, .count, .perform(WriteMethods.open)),
    Method(.deliver, .count, .perform(WriteMethods.deliver)),

    change(.create, .administer) {
      .create(
        name: $0.text(.name) ?? "", decimals: $0.integer(.decimals) ?? 0, isStopwatch: try $0.isStopwatch(),
        try $0.settings())
    },
    change(.set, .administer) { .set($0.target(.counter), try $0.settings()) },
    change(.lock, .administer) { .lock($0.target(.counter), true) },
    change(.unlock, .administer) { .lock($0.target(.counter), false) },
    change(.move, .administer) { .move($0.target(.counter), to: try $0.place()) },
    change(.remove, .administer) { .remove($0.target(.counter)) },
    change(.createGroup, .administer) { .createGroup(name: $0.text(.name) ?? "", try $0.settings()) },
    change(.setGroup, .administer) { .setGroup($0.text(.group) ?? "", try $0.settings(without: .group)) },
    change(.moveGroup, .administer) { .moveGroup($0.text(.group) ?? "", to: try $0.placeAmongGroups()) },
    change(.removeGroup, .administer) { .removeGroup($0.text(.group) ?? "") },
    change(.createFormula, .administer) { .createFormula(name: $0.text(.name) ?? "", try $0.settings()) },
    change(.setFormula, .administer) { .setFormula($0.text(.name) ?? "", try $0.settings()) },
    Method(.import, .administer, .perform { call, core, _ in try Archives.take(call, core) }),

    Method(.fleet, .read, .perform(FleetMethods.fleet)),
    Method(.joinFleet, .administer, .perform(FleetMethods.join)),
    Method(.leaveFleet, .administer, .perform(FleetMethods.leave)),
    Method(.shareCounter, .administer, .perform(FleetMethods.share)),
    Method(.adoptCounter, .administer, .perform(FleetMethods.adopt)),
    Method(.forgetStation, .administer, .forget),
    Method(.linkFleet, .share, .link),
    Method(.learnFleet, .share, .perform(FleetMethods.learn)),
    Method(.resetRows, .share, .perform(FleetMethods.resetRows)),
    Method(.historyDigests, .share, .perform(FleetMethods.historyDigests)),
    Method(.quarterRows, .share, .perform(FleetMethods.quarterRows)),
    Method(.sendReport, .share, .perform(FleetMethods.sendReport)),
    Method(.reportFleet, .share, .perform(FleetMethods.report)),
  ]
}
