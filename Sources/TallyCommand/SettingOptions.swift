import ArgumentParser
import Counting
import Varlink

/// The settings of a counter as options: what `tally new` and `tally set` have in common.
struct SettingOptions: ParsableArguments {
  @OptionGroup var looks: LooksOptions
  @Option(help: ArgumentHelp("Words to find it by, with commas between.", valueName: "a,b")) var tags: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("The value that a reset goes back to.", valueName: "n"))
  var start: String?
  @Option(help: ArgumentHelp("How much one gesture adds, and takes off.", valueName: "n")) var step: String?
  @Option(help: ArgumentHelp("How much one gesture takes off, if not the same.", valueName: "n"))
  var stepDown: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("It never counts below this; 0 for nothing negative.", valueName: "n"))
  var minimum: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("It never counts above this.", valueName: "n"))
  var maximum: String?
  @Option(help: ArgumentHelp("What happens to a count that would pass one of these.", valueName: "refuse|stop"))
  var limits: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("The goal: what it is to become.", valueName: "n"))
  var target: String?
  @Option(help: ArgumentHelp("Say so at every so many on the way: 10 for each ten.", valueName: "n"))
  var every: String?
  @Option(
    help: ArgumentHelp(
      "Goes back to its start by itself: “daily 04:00”, “weekly monday”, “monthly 1 06:00 Europe/Berlin”, “on 2026-12-24”.",
      valueName: "when"))
  var period: String?

  /// The members of the interface's calls.
  ///
  /// - Throws: for a number that is none in this unit.
  func parameters(in unit: Unit) throws -> JSONObject {
    var parameters = looks.parameters
    if let tags {
      parameters["tags"] = .array(tags.split { $0 == "," || $0 == " " }.map { JSON.string(String($0)) })
    }
    parameters["limits"] = limits.map(JSON.string)
    parameters["period"] = period.map(JSON.string)
    let numbers = [
      ("start", start), ("step", step), ("stepDown", stepDown), ("minimum", minimum), ("maximum", maximum),
      ("target", target), ("every", every),
    ]
    for case (let name, let text?) in numbers {
      do throws(CountingError) {
        parameters[name] = .int(try unit.number(text))
      } catch {
        throw ValidationError(error.message)
      }
    }
    return parameters
  }
}

/// What a counter and a group have in common.
struct LooksOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "What people read; without it the name.") var title: String?
  @Option(help: ArgumentHelp("\(Field.colours.joined(separator: ", ")), or #rrggbb.", valueName: "colour"))
  var colour: String?
  @Option(help: ArgumentHelp("An emoji or a few letters.", valueName: "text")) var icon: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("What you want to remember of it.", valueName: "text"))
  var note: String?

  var parameters: JSONObject {
    var parameters: JSONObject = [:]
    for case (let name, let text?) in [("title", title), ("colour", colour), ("icon", icon), ("note", note)] {
      parameters[name] = .string(text)
    }
    return parameters
  }
}

/// Where something is put: what `tally move` and `tally group move` have in common.
struct PlaceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Before this one.", valueName: "name"), completion: CounterArgument.completion)
  var before: String?
  @Option(help: ArgumentHelp("After this one.", valueName: "name"), completion: CounterArgument.completion)
  var after: String?
  @Flag(help: "Before all others.") var first = false
  @Flag(help: "Behind all others, which is what happens without a place.") var last = false

  func validate() throws {
    let places = [before != nil, after != nil, first, last].filter(\.self)
    if places.count > 1 { throw ValidationError("Only one of --before, --after, --first and --last makes a place.") }
  }

  var parameters: JSONObject {
    var parameters: JSONObject = [:]
    parameters["before"] = before.map(JSON.string)
    parameters["after"] = after.map(JSON.string)
    if first { parameters["first"] = true }
    return parameters
  }
}
