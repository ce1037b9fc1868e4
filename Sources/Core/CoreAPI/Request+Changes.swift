public import Counting
public import JSON

extension Counters {
  /// The position to which a counter or a group is moved.
  public enum Place: Equatable, Sendable {
    /// Before all others.
    case first
    /// After all others.
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

    fileprivate var counter: String? { if case .one(let name) = self { name } else { nil } }
    fileprivate var group: String? { if case .group(let name) = self { name } else { nil } }
    fileprivate var all: Bool? { self == .all ? true : nil }
  }
}

extension Counters.Request<Counters.EventReply> {
  /// - Parameters:
  ///   - isConfirmed: whether one request is enough.
  ///   - person: the requester, such as a terminal: a second request of the same one confirms the first.
  public static func reset(_ scope: Counters.Scope, isConfirmed: Bool, by person: String? = nil) -> Self {
    .reset(scope.counter, confirmed: isConfirmed, group: scope.group, all: scope.all, by: person)
  }

  public static func clock(_ scope: Counters.Scope, _ verb: Counting.Change.StopwatchVerb) -> Self {
    switch verb {
    case .start: .start(scope.counter, group: scope.group, all: scope.all)
    case .stop: .stop(scope.counter, group: scope.group, all: scope.all)
    case .toggle: .toggle(scope.counter, group: scope.group, all: scope.all)
    case .lap: .lap(scope.counter, group: scope.group, all: scope.all)
    }
  }

  /// - Parameter group: the group to move to, empty for none; `nil` for the counter's present group.
  public static func move(_ counter: String?, to place: Counters.Place, group: String? = nil) -> Self {
    .move(counter, before: place.before, after: place.after, first: place.first, group: group)
  }

  public static func moveGroup(_ group: String, to place: Counters.Place) -> Self {
    .moveGroup(group, before: place.before, after: place.after, first: place.first)
  }
}

/// Definitions. A setting with the value `none` is cleared.
extension Counters.Request<Counters.EventReply> {
  public static func create(
    _ name: String, decimals: Int64 = 0, isStopwatch: Bool = false, _ settings: Settings
  ) -> Self {
    .init(
      .create,
      [
        .name: name, .decimals: decimals == 0 ? nil : decimals,
        .kind: isStopwatch ? Counter.Kind.stopwatch.rawValue : nil,
      ], settings)
  }

  public static func set(_ counter: String?, _ settings: Settings) -> Self {
    .init(.set, [.counter: counter], settings)
  }

  public static func createGroup(_ name: String, _ settings: Settings) -> Self {
    .init(.createGroup, [.name: name], settings)
  }

  public static func setGroup(_ group: String, _ settings: Settings) -> Self {
    .init(.setGroup, [.group: group], settings)
  }

  /// - Parameter settings: ``Field/formula`` is required.
  public static func createFormula(_ name: String, _ settings: Settings) -> Self {
    .init(.createFormula, [.name: name], settings)
  }

  public static func setFormula(_ name: String, _ settings: Settings) -> Self {
    .init(.setFormula, [.name: name], settings)
  }
}

extension Counters.Request<Counters.ImportReply> {
  /// Imports the entries of an archive, with the parts that were sent before on the same connection.
  ///
  /// - Parameters:
  ///   - clash: the treatment of a counter whose name is in use; `nil` for merge.
  ///   - isTrial: whether to record nothing.
  ///   - file: the name of the file, as the device of a cause.
  public static func `import`(
    _ entries: [JSON], clash: Archive.Clash? = nil, isTrial: Bool, file: String? = nil
  ) -> Self {
    .import(entries: entries, clash: clash?.rawValue, trial: isTrial, file: file)
  }

  /// Sends entries that are imported together with those of later calls.
  public static func `import`(part entries: [JSON]) -> Self {
    .import(entries: entries, continues: true)
  }
}
