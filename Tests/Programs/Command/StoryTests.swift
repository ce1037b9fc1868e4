import Foundation
import TestKit
import Testing

/// Days on which the programs are really used, each a shell script that a person can run as well.
@Suite struct `Stories` {
  @Test(arguments: ["playground", "coach"]) func `a day goes as it is told`(_ story: String) throws {
    let outcome = try Program.run(
      "/bin/bash", [Checkout.path("Tests/Programs/Stories/\(story)"), Program.path("")],
      ["PATH": "/usr/bin:/bin", "TMPDIR": FileManager.default.temporaryDirectory.path])
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.complaint)")
  }
}
