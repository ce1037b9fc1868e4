import Foundation
import TestKit
import Testing

/// The units of systemd.
@Suite struct UnitTests {
  @Test(arguments: ["bridge/tally-mqttd.service", "bridge/user/tally-mqttd.service"])
  func theBridgeIsStartedAgainWithoutEndAndNotAtOnce(unit: String) throws {
    let folder = URL(filePath: Checkout.path("systemd"))
    let text = try String(contentsOf: folder.appending(path: unit), encoding: .utf8)
    let lines = Set(text.split(separator: "\n"))
    #expect(lines.isSuperset(of: ["StartLimitIntervalSec=0", "Restart=on-failure", "RestartSec=5s"]))
  }
}
