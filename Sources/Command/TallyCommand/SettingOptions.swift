import ArgumentParser
import CoreAPI
import Counting
import Text

/// The options of settings, for `tally new` and `tally set`, and of the looks alone, for groups: one for each field
/// with a help text.
struct FieldOptions<Choice: FieldChoice>: ParsableArguments, CustomReflectable {
  private var texts: [Field: String] = [:]

  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for field in Choice.fields {
      let option = try container.decode(Option<String?>.self, forKey: Key(stringValue: field.rawValue))
      texts[field] = option.wrappedValue
    }
  }

  /// The properties that the parser reads as options: the mirror has one property per setting, named like the option.
  var customMirror: Mirror {
    Mirror(
      self, children: Choice.fields.map { (label: "_\($0.rawValue)", value: Self.option($0)) }, displayStyle: .struct)
  }

  private static func option(_ field: Field) -> Option<String?> {
    let mayBeginWithDash = field.isAmount || field.kind == .text
    return Option(
      parsing: mayBeginWithDash ? .unconditional : .next,
      help: field.help.map { ArgumentHelp($0.text, valueName: field == .title ? nil : $0.value) },
      completion: field.choices.isEmpty ? nil : .list(field.choices))
  }

  /// The looks among the settings that have options here.
  var lookSettings: Settings { Settings(uniqueKeysWithValues: texts.filter(\.key.isLook).map { ($0, .text($1)) }) }

  /// The settings given as options.
  ///
  /// - Throws: a `ValidationError` for a number that is not valid in `unit`.
  func settings(in unit: Unit) throws -> Settings {
    var settings = lookSettings
    for field in Choice.fields {
      guard !field.isLook, let text = texts[field] else { continue }
      switch field.kind {
      case .words: settings[field] = .text(try Self.words(of: text).joined(separator: " "))
      case .amount(let least): settings[field] = .integer(try Self.number(text, of: field, least: least, in: unit))
      case .flag:
        guard ["yes", "no"].contains(text) else { throw ValidationError("--\(field.option) takes yes or no.") }
        settings[field] = .integer(text == "yes" ? 1 : 0)
      default:
        if field == .period, text == "none" {
          throw ValidationError("“none” is not a period. To have none: tally set NAME --clear period")
        }
        settings[field] = .text(text)
      }
    }
    return settings
  }

  private static func number(_ text: String, of field: Field, least: Int64, in unit: Unit) throws -> Int64 {
    let text = try NumberText.canonical(text)
    if unit == .things { try NumberText.refuseThousand(text) }
    do {
      let number = try unit.number(text)
      guard number >= least else {
        throw [.step, .stepDown].contains(field)
          ? ValidationError("--\(field.option): a step must be above 0. To count down, use tally subtract.")
          : ValidationError(
            "--\(field.option) must be above 0. To have none: tally set NAME --clear \(field.option)")
      }
      return number
    } catch let error as CountingError {
      throw ValidationError("--\(field.option): \(error.message)")
    }
  }

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

/// A choice of the fields that are options.
protocol FieldChoice { static var fields: [Field] { get } }

enum AllFields: FieldChoice { static let fields = Field.options }
enum LookFields: FieldChoice { static let fields = Field.options.filter(\.isLook) }

typealias SettingOptions = FieldOptions<AllFields>
typealias LooksOptions = FieldOptions<LookFields>

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
        let remedy = Suggestion.nearest(to: name, among: known).map { "Did you mean “\($0)”?" }
        let list = "These can: \(known.joined(separator: ", "))."
        throw ValidationError("“\(name)” is not a setting that can be cleared. \(remedy ?? list)")
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
  var option: String {
    rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
  }

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
