import ArgumentParser
import Counting
import JSON
import Linux

/// `tally share`: writes the counters and their settings to a file for another machine.
struct Share: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Write counters, groups and formulas with their settings to a file for another machine.",
    discussion: """
      Example: tally share -o club.tally
      Example: tally share --history --bindings -o club.tally
      """)

  @OptionGroup var destination: OutputOptions
  @Flag(help: "Include the current values.") var values = false
  @Flag(help: "Include the history and the current values.") var history = false
  @Flag(help: "Include input.toml, which binds gestures.") var bindings = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let bindings = bindings ? try bindingsEntry() : nil
    let core = try CoreClient(options)
    let file = try destination.file()
    var completeness = Completeness()
    func write(_ entry: JSONObject) throws {
      try file.append(JSON.object(completeness.written(entry)).description + "\n")
    }
    try core.eachArchiveEntry(withHistory: history) { entry in
      guard !history else { return try write(ExchangeTime.spelt(entry)) }
      // Removed entities are only exported with the history.
      if entry.contains(where: { $0.value.object?["removed"]?.bool == true }) { return }
      try write(entry["counter"]?.object.map { ["counter": .object(bare($0))] } ?? entry)
    }
    if let bindings { try write(bindings) }
    try file.append(JSON.object(completeness.end).description + "\n")
    try file.finish()
    guard let path = destination.path else { return }
    Output.line(
      options.json
        ? JSON.object(["file": .string(path)]).description : "On the other machine: tally adopt \(path)")
  }

  /// The members of a counter without its values and times.
  private func bare(_ counter: JSONObject) -> JSONObject {
    var counter = counter
    for name in ["since", "boottime", "boot", "lapped", "reachedAt", "began", "renewsAt"] {
      counter[name] = nil
    }
    counter["lapped"] = 0
    if !values { counter["value"] = counter["start"] ?? 0 }
    return counter
  }

  private func bindingsEntry() throws -> JSONObject {
    guard let path = BindingsFile.present() else {
      throw ValidationError("There is no input.toml to include.")
    }
    let text = String(decoding: try FileContent.read(path, upTo: 1 << 20), as: UTF8.self)
    return ["bindings": .string(text)]
  }
}

/// `tally adopt`: imports a file of `tally share`.
struct Adopt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import counters, groups and formulas that another machine has shared.",
    discussion: """
      If a name exists here already, nothing is imported unless --on-clash says what to do: keep (the counter here stays), \
      rename (the imported one gets a number) or merge (its history is added to the counter here).
      Example: tally adopt club.tally --on-clash rename
      """)

  @Argument(help: "The file; “-” reads standard input.", completion: .file()) var file: String
  @Option(help: "The answer to a clash of names: refuse, keep, rename or merge.") var onClash = ClashChoice.refuse
  @Flag(help: "Write its bindings to input.toml; an existing file is never replaced.")
  var bindings = false
  @Flag(help: "Only show what would change.") var dryRun = false
  @OptionGroup var options: CommonOptions

  enum ClashChoice: String, CaseIterable, ExpressibleByArgument { case refuse, keep, rename, merge }

  func run() throws {
    let content = try ImportFile(file)
    let core = try CoreClient(options)
    // Problems with the bindings are reported before anything is imported.
    let place = bindings ? try BindingsFile.free(for: content.bindings) : nil
    try core.importFile(content, clash: Counting.Archive.Clash(rawValue: onClash.rawValue), dryRun: dryRun, options)
    if let place, let text = content.bindings, !dryRun {
      try OutputFile(place, replaces: false, makesFolders: true).write(text)
      Output.line("Its bindings were written to \(place).")
    } else if content.bindings != nil, !bindings {
      Output.line("The file also contains bindings; --bindings imports them.")
    }
  }
}

/// The path of the user's input.toml.
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

  /// The path for shared bindings.
  static func free(for text: String?) throws -> String {
    guard text != nil else { throw ValidationError("The file has no bindings.") }
    guard let own else { throw ValidationError("There is no place for bindings: HOME is not set.") }
    guard (try? FileContent.read(own, upTo: 0)) == nil else {
      throw ValidationError("\(own) already exists; move it away first, or leave out --bindings.")
    }
    return own
  }
}
