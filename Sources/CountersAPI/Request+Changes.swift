public import Counting
public import Varlink

extension Counters {
  /// Where a counter or a group is put.
  public enum Place: Equatable, Sendable {
    /// Before all others.
    case first
    /// Behind all others.
    case last
    case before(String)
    case after(String)

    fileprivate var before: String? { if case .before(let name) = self { name } else { nil } }
    fileprivate var after: String? { if case .after(let name) = self { name } else { nil } }
    fileprivate var first: Bool? { self == .first ? true : nil }
  }

  /// The counters of a reset, or of a change of stopwatches.
  public enum Scope: Equatable, Sendable {
    /// One counter; `nil` for the current one.
    case one(String?)
    case group(String)
    case all

    fileprivate var name: String? { if case .one(let name) = self { name } else { nil } }
    fileprivate var group: String? { if case .group(let name) = self { name } else { nil } }
    fileprivate var all: Bool? { self == .all ? true : nil }
  }
}

/// Changes of values. A counter that is `nil` is the current one.
extension Counters.Request<Counters.Changed> {
  /// - Parameters:
  ///   - amount: in the counter's unit; without it and `quantity` the counter's step.
  ///   - quantity: the amount as people write it.
  ///   - time: in microseconds since 1970; `nil` for now.
  public static func add(
    _ name: String?, amount: Int64? = nil, quantity: String? = nil, time: Int64? = nil
  ) -> Self { .init(.add, [.name: name, .amount: amount, .quantity: quantity, .time: time]) }

  /// Parameters as in ``add(_:amount:quantity:time:)``.
  public static func subtract(
    _ name: String?, amount: Int64? = nil, quantity: String? = nil, time: Int64? = nil
  ) -> Self { .init(.subtract, [.name: name, .amount: amount, .quantity: quantity, .time: time]) }

  /// Sets the value; states either `value`, in the counter's unit, or `quantity`.
  public static func correct(_ name: String?, value: Int64? = nil, quantity: String? = nil) -> Self {
    .init(.correct, [.name: name, .value: value, .quantity: quantity])
  }

  /// - Parameters:
  ///   - isConfirmed: whether one request is enough.
  ///   - person: whose second request alone confirms the first, such as the name of a terminal.
  public static func reset(_ scope: Counters.Scope, isConfirmed: Bool, by person: String? = nil) -> Self {
    .init(.reset, [.name: scope.name, .group: scope.group, .all: scope.all, .confirmed: isConfirmed, .by: person])
  }

  public static func select(_ name: String) -> Self { .init(.select, [.name: name]) }
  /// - Parameter groups: whether to go to the next group instead of the next counter of the group.
  public static func next(groups: Bool = false) -> Self { .init(.next, [.groups: groups ? true : nil]) }
  public static func previous(groups: Bool = false) -> Self { .init(.previous, [.groups: groups ? true : nil]) }

  public static func clock(_ scope: Counters.Scope, _ verb: Counting.Change.StopwatchVerb) -> Self {
    let method: Counters.Method =
      switch verb {
      case .start: .start
      case .stop: .stop
      case .toggle: .toggle
      case .lap: .lap
      }
    return .init(method, [.name: scope.name, .group: scope.group, .all: scope.all])
  }

  /// - Parameter text: `nil` or empty to remove the note.
  public static func note(_ sequence: Int64, _ text: String?) -> Self {
    .init(.note, [.sequence: sequence, .text: text])
  }

  /// - Parameter counter: the counter whose last event is undone; `nil` for the last event of all.
  public static func undo(counter: String? = nil) -> Self { .init(.undo, [.counter: counter]) }
  /// Undoes one event.
  public static func undo(event sequence: Int64) -> Self { .init(.undo, [.sequence: sequence]) }
  public static func redo(counter: String? = nil) -> Self { .init(.redo, [.counter: counter]) }
}

/// Definitions. A setting with the value `none` is cleared.
extension Counters.Request<Counters.Changed> {
  public static func create(
    _ name: String, decimals: Int64 = 0, isStopwatch: Bool = false, _ settings: Settings = [:]
  ) -> Self {
    .init(
      .create,
      [
        .name: name, .decimals: decimals == 0 ? nil : decimals,
        .kind: isStopwatch ? Counter.Kind.stopwatch.rawValue : nil,
      ], settings)
  }

  public static func set(_ name: String?, _ settings: Settings) -> Self { .init(.set, [.name: name], settings) }
  public static func lock(_ name: String?) -> Self { .init(.lock, [.name: name]) }
  public static func unlock(_ name: String?) -> Self { .init(.unlock, [.name: name]) }

  /// - Parameter group: the group to move to, empty for none; `nil` for the counter's own.
  public static func move(_ name: String?, to place: Counters.Place, group: String? = nil) -> Self {
    .init(
      .move, [.name: name, .before: place.before, .after: place.after, .first: place.first, .group: group])
  }

  /// - Parameter name: a counter or a formula.
  public static func remove(_ name: String) -> Self { .init(.remove, [.name: name]) }

  public static func createGroup(_ name: String, _ settings: Settings = [:]) -> Self {
    .init(.createGroup, [.name: name], settings)
  }

  public static func setGroup(_ name: String, _ settings: Settings) -> Self {
    .init(.setGroup, [.name: name], settings)
  }

  public static func moveGroup(_ name: String, to place: Counters.Place) -> Self {
    .init(.moveGroup, [.name: name, .before: place.before, .after: place.after, .first: place.first])
  }

  public static func removeGroup(_ name: String) -> Self { .init(.removeGroup, [.name: name]) }

  /// - Parameter settings: ``Field/formula`` is required.
  public static func createFormula(_ name: String, _ settings: Settings) -> Self {
    .init(.createFormula, [.name: name], settings)
  }

  public static func setFormula(_ name: String, _ settings: Settings) -> Self {
    .init(.setFormula, [.name: name], settings)
  }
}

extension Counters.Request<Counters.Imported> {
  /// Imports the entries of an archive, with the parts that were sent before on the same connection.
  ///
  /// - Parameters:
  ///   - clash: what happens to a counter whose name is in use; `nil` for merge.
  ///   - isTrial: whether nothing is recorded.
  public static func `import`(_ entries: [JSON], clash: Archive.Clash? = nil, isTrial: Bool) -> Self {
    .init(.import, [.entries: entries, .clash: clash?.rawValue, .trial: isTrial])
  }

  /// Sends entries that are imported together with those of later calls.
  public static func `import`(part entries: [JSON]) -> Self {
    .init(.import, [.entries: entries, .continues: true])
  }
}
