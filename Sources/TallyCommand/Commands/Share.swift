import ArgumentParser
import Platform
import Varlink

/// `tally share`: the set-up in one file for another machine.
struct Share: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Write counters, groups and formulas with their looks into one file that another machine adopts.",
    discussion: """
      Example: tally share -o club.tally
      Example: tally share --history --bindings -o club.tally
      """)

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to put it; “-” prints it.", valueName: "file"),
    completion: .file())
  var output: String
  @Flag(help: "With the values that the counters stand at.") var values = false
  @Flag(help: "With everything that happened, and the values.") var history = false
  @Flag(help: "With input.toml: what gestures do.") var bindings = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    var lines: [String] = []
    try core.eachArchiveLine(withHistory: history) { line in
      guard let counter = line.object?["counter"]?.object, !history else {
        return lines.append(ExchangeTime.spelt(line).description)
      }
      if counter["removed"]?.bool != true {
        lines.append(JSON.object(["counter": .object(bare(counter))]).description)
      }
    }
    if bindings { lines.append(try bindingsLine()) }
    try OutputFile.write(lines.map { $0 + "\n" }.joined(), to: output)
    if output != "-" { Output.line("Another machine takes it in with: tally adopt \(output)") }
  }

  /// A counter without what happened to it here.
  private func bare(_ counter: JSONObject) -> JSONObject {
    var counter = counter
    for name in ["since", "boottime", "boot", "lapped", "reachedAt", "began", "renewsAt"] {
      counter[name] = nil
    }
    counter["lapped"] = 0
    if !values { counter["value"] = counter["start"] ?? 0 }
    return counter
  }

  private func bindingsLine() throws -> String {
    guard let path = BindingsFile.present() else {
      throw ValidationError("There is no input.toml to go with it.")
    }
    let text = String(decoding: try FileContent.read(path, upTo: 1 << 20), as: UTF8.self)
    return JSON.object(["bindings": .string(text)]).description
  }
}

/// `tally adopt`: takes in what another machine shares.
struct Adopt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take in counters, groups and formulas that another machine shares.",
    discussion: """
      On a clash of names nothing is taken in unless --on-clash says what to do: keep (what is here stays), rename (the
      other one gets a number) or merge (its history is added here).
      Example: tally adopt club.tally --on-clash rename
      """)

  @Argument(help: "The file; “-” reads standard input.", completion: .file()) var file: String
  @Option(help: "refuse, keep, rename or merge.") var onClash = ClashChoice.refuse
  @Flag(help: "Put its bindings into input.toml; one that is there is never replaced.")
  var bindings = false
  @Flag(help: "Only say what would change.") var dryRun = false
  @OptionGroup var options: CommonOptions

  enum ClashChoice: String, CaseIterable, ExpressibleByArgument { case refuse, keep, rename, merge }

  func run() throws {
    let content = try ImportFile(file)
    let core = try CoreClient(options)
    // What cannot be done with the bindings is said before anything else is.
    let place = bindings ? try BindingsFile.free(for: content.bindings) : nil
    try core.take(content.lines, clash: onClash.rawValue, dryRun: dryRun, options)
    if let place, let text = content.bindings, !dryRun {
      try OutputFile.write(text, to: place)
      Output.line("Its bindings are in \(place).")
    } else if content.bindings != nil, !bindings {
      Output.line("It has bindings, too; --bindings takes them.")
    }
  }
}

/// The person's configuration of gestures.
enum BindingsFile {
  private static var own: String? {
    if let base = ServiceProcess.environment("XDG_CONFIG_HOME") {
      return "\(base)/tallymark/input.toml"
    }
    return ServiceProcess.environment("HOME").map { "\($0)/.config/tallymark/input.toml" }
  }

  static func present() -> String? {
    [own, "/etc/tallymark/input.toml"].compactMap(\.self).first {
      (try? FileContent.read($0, upTo: 0)) != nil
    }
  }

  /// Where bindings that were shared can go.
  static func free(for text: String?) throws -> String {
    guard text != nil else { throw ValidationError("The file has no bindings.") }
    guard let own else { throw ValidationError("There is no place for bindings: HOME is not set.") }
    guard (try? FileContent.read(own, upTo: 0)) == nil else {
      throw ValidationError("\(own) is there already; move it away first, or leave out --bindings.")
    }
    return own
  }
}
