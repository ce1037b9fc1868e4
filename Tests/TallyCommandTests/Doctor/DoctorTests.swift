import Foundation
import Platform
import TestKit
import Testing
import Varlink

@testable import TallyCommand

/// What the doctor makes of what it finds.
struct DoctorTests {
  private let temporary = TemporaryFolder()
  private var folder: String { temporary.path }

  @Test func `a core that takes questions and does not answer is not waited for, and is restarted by who runs it`()
    throws
  {
    let place = "\(folder)/silent"
    let listener = try UnixSocket.listen(at: place, mode: 0o600)
    for (keeper, command) in [
      (Keeper.machine, "sudo systemctl restart tallyd.service"),
      (.person(beside: false), "systemctl --user restart tallyd.service"),
    ] {
      let found = SocketCheck(keeper: keeper, isNamed: false, patience: 50_000_000).findings([place])
      #expect(found.map(\.severity) == [.fault])
      #expect(found.first?.sentence == "The core at \(place) takes questions and does not answer.")
      #expect(found.first?.remedy?.command == command)
    }
    withExtendedLifetime(listener) {}
  }

  @Test func `a motion sensor without a node is no device without a node`() {
    let sensor: JSONObject = ["path": "/sys/bus/iio/devices/iio:device0", "name": "accel", "wanted": true]
    #expect(DeviceCheck.findings([sensor], .machine).isEmpty)
    #expect(DeviceCheck.findings([], .machine).map(\.severity) == [.notice])
  }

  @Test func `the machine's devices are not judged by the settings of the person who asks`() {
    #expect(DeviceCheck.question(.machine) == "env XDG_CONFIG_HOME= HOME=/ tally-inputd devices --json")
    #expect(DeviceCheck.question(.person(beside: false)) == "tally-inputd devices --json")
  }

  @Test func `a sensor that only fills a buffer is a motion sensor`() throws {
    for file in [
      "iio:device2/scan_elements/in_accel_x_en", "iio:device1/in_accel_x_raw", "iio:device0/in_illuminance_raw",
      "trigger0/in_accel_x_raw",
    ] {
      let path = "\(folder)/\(file)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
    }
    #expect(SensorCheck.sensors(in: folder) == ["iio:device1", "iio:device2"])
  }

  @Test func `a command stands alone in its line, to be pasted`() {
    let finding = Finding.fault("socket", "It is broken.", mend: "sudo mend it", hint: "then look again")
    #expect(
      finding.text == """
        !!  socket    It is broken.
                      to mend it: sudo mend it
                      (then look again)
        """)
    #expect(finding.json.object?["remedy"]?.string == "sudo mend it")
    #expect(finding.json.object?["hint"]?.string == "then look again")
  }
}
