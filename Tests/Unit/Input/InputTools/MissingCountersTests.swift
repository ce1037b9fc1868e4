import Bindings
import InputTools
import Testing

/// What a configuration names and the core does not have.
@Suite struct MissingCountersTests {
  private func lines(_ text: String, counters: [String], groups: [String] = []) throws -> [String] {
    let keys = KeyNames(code: { $0 == "KEY_B" ? 48 : nil })
    let configuration = try Configuration(Array(text.utf8), file: "input.toml", keys: keys)
    return MissingCounters.lines(configuration, counters: counters, groups: groups)
  }

  private static let text = """
    [[bind]]
    gesture = "tap"
    do = ["add dogs", "add all-animals 2"]

    [[device]]
    name = "Pedal"
      [[device.bind]]
      gesture = "press"
      do = "reset --group kids"
      [[device.bind]]
      gesture = "long-press"
      do = "add dogs 5"
      [[device.bind]]
      gesture = "double-press"
      do = "undo"
    """

  @Test func `each name that the core does not have is said once, with its line and what was meant`() throws {
    #expect(try lines(Self.text, counters: ["dogs", "all-animals"], groups: ["kids"]) == [])
    #expect(
      try lines(Self.text, counters: ["dgos", "cats"]) == [
        "input.toml:1: there is no counter “dogs”; did you mean “dgos”?",
        "input.toml:1: there is no counter “all-animals”. To create it: tally new all-animals",
        "input.toml:7: there is no group “kids”. To create it: tally group new kids",
      ])
  }
}
