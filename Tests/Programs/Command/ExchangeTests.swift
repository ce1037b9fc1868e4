import Foundation
import JSON
import TestKit
import Testing
import Varlink

/// Histories at random; Tests/Programs/Sessions/exchange.session has the rest.
@Suite struct `Taking out and in` {
  let here: Scene
  let there: Scene

  init() throws {
    here = try Scene()
    there = try Scene()
  }

  /// Everything that the core tells of itself.
  private func everything(_ scene: Scene) throws -> [String] {
    try scene.tally("show", "--json").lines + scene.tally("history", "--json").lines
  }

  /// A history at random: counts, undos, resets, corrections, counters that come and go, groups.
  private func live(_ scene: Scene, case number: Int) throws {
    var random = Seed.generator(case: number)
    try scene.call("Create", ["name": "kids", "title": "Kids, “loud” ones\u{202F}"])
    try scene.call("Create", ["name": "adults", "start": -3])
    for _ in 0..<60 {
      let name = JSON.string(["kids", "adults", "dogs"][random.below(3)])
      do {
        switch random.below(9) {
        case 0: try scene.call("Undo")
        case 1: try scene.call("Redo")
        case 2: try scene.call("Create", ["name": "dogs"])
        case 3: try scene.call("Remove", ["counter": "dogs"])
        case 4: try scene.call("Correct", ["counter": name, "value": .int(random.whole(0...89))])
        case 5: try scene.call("Reset", ["counter": name, "confirmed": true])
        case 6: try scene.call("Subtract", ["counter": name, "amount": 2])
        default: try scene.call("Add", ["counter": name])
        }
      } catch is VarlinkError {
        // A refusal changes nothing.
      }
    }
  }

  @Test(.seeded, arguments: 0..<2)
  func `an export of every event gives the same state elsewhere, and nothing new the second time`(_ number: Int) throws
  {
    try live(here, case: number)
    let file = "\(here.folder)/all"
    #expect(try here.tally("export", "--events", "--json", "-o", file).code == 0)
    #expect(try there.tally("import", file, "--dry-run").output.hasPrefix("Would import "))
    #expect(try there.tally("history").output == "")
    let taken = try there.tally("import", file)
    #expect(taken.code == 0, "\(taken.complaint)")
    #expect(try everything(here) == everything(there))
    #expect(try there.tally("import", file).output.hasPrefix("Nothing to import: "))
    #expect(try everything(here) == everything(there))
    #expect(try there.tally("verify").code == 0)
    // One undo takes back all of it.
    let undone = try there.tally("undo")
    #expect(undone.code == 0, "\(undone.complaint)")
    #expect(try there.tally("show", "--json").output == "")
    #expect(try there.tally("redo").code == 0)
    #expect(try there.tally("show", "--json").lines == here.tally("show", "--json").lines)
    #expect(try there.tally("verify").code == 0)
  }
}
