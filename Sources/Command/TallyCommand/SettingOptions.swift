import ArgumentParser
import CoreAPI
import Counting
import Text

/// The options of counter settings, for `tally new` and `tally set`.
struct SettingOptions: ParsableArguments {
  @OptionGroup var looks: LooksOptions
  @Option(help: ArgumentHelp("Tags, separated by commas, for tally --tag.", valueName: "a,b")) var tags: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("The value after a reset.", valueName: "n"))
  var start: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The amount that one gesture adds or subtracts.", valueName: "n"))
  var step: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The amount that one gesture subtracts, if different.", valueName: "n"))
  var stepDown: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The lowest value; 0 to prevent negative values.", valueName: "n"))
  var minimum: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("The highest value.", valueName: "n"))
  var maximum: String?
  @Option(
    help: ArgumentHelp("Whether a count beyond a limit is refused, or stops at the limit.", valueName: "refuse|stop"))
  var limits: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("The goal: the value to reach.", valueName: "n"))
  var target: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Report each multiple of this on the way, such as 10.", valueName: "n"))
  var every: String?
  @Option(
    help: ArgumentHelp(
      "Reset automatically: “hourly 15”, “daily 04:00”, “weekly monday”, “monthly 1 06:00 Europe/Berlin”, “yearly 07-01”, “on 2026-12-24”.",
      valueName: "when"))
  var period: String?

  /// The settings given as options.
  ///
  /// - Throws: a `ValidationError` for a number that is not valid in `unit`.
  func settings(in unit: Unit) throws -> Settings {
    var settings = looks.settings
    if let tags { settings[.tags] = .text(try Self.words(of: tags).joined(separator: " ")) }
    if let limits { settings[.limits] = .text(limits) }
    if let period {
      if period == "none" {
        throw ValidationError("“none” is not a period. To have none: tally set NAME --clear period")
      }
      settings[.period] = .text(period)
    }
    let numbers: KeyValuePairs<Field, String?> = [
      .start: start, .step: step, .stepDown: stepDown, .minimum: minimum, .maximum: maximum, .target: target,
      .every: every,
    ]
    for case (let field, let text?) in numbers {
      let text = try NumberText.canonical(text)
      do {
        let number = try unit.number(text)
        if field == .step || field == .stepDown, number <= 0 {
          throw ValidationError("--\(field.option): a step must be above 0. To count down, use tally subtract.")
        }
        if field == .every, number <= 0 {
          throw ValidationError("--every must be above 0. To have none: tally set NAME --clear every")
        }
        settings[field] = .integer(number)
      } catch let error as CountingError {
        throw ValidationError("--\(field.option): \(error.message)")
      }
    }
    return settings
  }
}

extension SettingOptions {
  /// The tags in a comma-separated list.
  private static func words(of tags: String) throws -> [Substring] {
    try tags.split(separator: ",").map { part in
      let words = part.split(separator: " ")
      guard words.count <= 1 else {
        throw ValidationError(
          "A tag cannot contain a space: “\(words.joined(separator: " "))”. Write "
            + "“\(words.joined(separator: "-"))”, or a comma between two tags.")
      }
      return words.first ?? ""
    }.filter { !$0.isEmpty }
  }
}

/// The options that counters and groups have in common.
struct LooksOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "The title to show; default: the name.") var title: String?
  @Option(
    help: ArgumentHelp("\(Field.colours.joined(separator: ", ")), or #rrggbb.", valueName: "colour"),
    completion: .list(Field.colours))
  var colour: String?
  @Option(help: ArgumentHelp("An emoji or a few letters.", valueName: "text")) var icon: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("A note.", valueName: "text"))
  var note: String?

  var settings: Settings {
    let texts: KeyValuePairs<Field, String?> = [.title: title, .colour: colour, .icon: icon, .note: note]
    var settings: Settings = [:]
    for case (let field, let text?) in texts { settings[field] = .text(text) }
    return settings
  }
}

extension Settings {
  /// Clears the settings with these names.
  ///
  /// - Throws: a `ValidationError` for a name that is not a setting.
  mutating func clear(_ names: [String]) throws {
    for name in names {
      // The name in the interface is accepted as well.
      guard let field = Field.clearable.first(where: { [$0.option, $0.rawValue, $0.label].contains(name) }) else {
        if name == "limits" || name == "limit" {
          throw ValidationError("To have no limits: --clear minimum --clear maximum")
        }
        let known = Field.clearable.map(\.option)
        let near = Suggestion.nearest(to: name, among: known).map { " Did you mean “\($0)”?" } ?? ""
        throw ValidationError("“\(name)” is not a setting that can be cleared.\(near)")
      }
      let given = self[field]
      guard given == nil || given == Field.Value.none else {
        throw ValidationError("Either set “\(name)” or clear it.")
      }
      self[field] = Field.Value.none
    }
  }
}

extension Field {
  /// The name of the option for the field, also used in sentences.
  var option: String { self == .stepDown ? "step-down" : rawValue }

  /// The name on the card of a counter, if it differs from that of the option.
  fileprivate var label: String { self == .target ? "goal" : option }

  /// The settings that `--clear` accepts.
  static let clearable = allCases.filter { $0.isSetting && ![.name, .order, .limits].contains($0) }

  /// The settings that can be cleared for a counter, for a sentence: `title, colour, …`.
  static let clearableOfCounters = clearable.filter { ![.archived, .formula, .display].contains($0) }
    .map(\.option).joined(separator: ", ")
}

/// The options of a position, for `tally move` and `tally group move`.
struct PlaceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Before this one.", valueName: "name"), completion: CounterArgument.completion)
  var before: String?
  @Option(help: ArgumentHelp("After this one.", valueName: "name"), completion: CounterArgument.completion)
  var after: String?
  @Flag(help: "Before all others.") var first = false
  @Flag(help: "After all others (the default).") var last = false

  func validate() throws {
    let places = [before != nil, after != nil, first, last].filter(\.self)
    if places.count > 1 { throw ValidationError("Use only one of --before, --after, --first and --last.") }
  }

  /// The sentence about a move.
  func sentence(_ name: String, to group: String? = nil, _ event: EventLine) -> String {
    guard !event.alterations.isEmpty else { return "\(name) is already there." }
    let place =
      before.map { "before \($0)" } ?? after.map { "after \($0)" }
      ?? (first ? "to the first place" : "to the last place")
    let target = group.map { $0.isEmpty ? " without a group" : " of the group \($0)" } ?? ""
    return "Moved \(name) \(place)\(before == nil && after == nil ? target : "")."
  }

  /// The place for a request.
  ///
  /// - Throws: a `ValidationError` for a place beside the entity itself.
  func place(of name: String) throws -> Counters.Place {
    guard before != name, after != name else { throw ValidationError("\(name) cannot be moved beside itself.") }
    return place
  }

  var place: Counters.Place {
    if let before { return .before(before) }
    if let after { return .after(after) }
    return first ? .first : .last
  }
}
