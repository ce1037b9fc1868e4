import CoreAPI
import Foundation
import JSON
import Linux
import Tallymark
import TestKit
import Testing

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
    for (scope, command) in [
      (ServiceScope.machine, "sudo systemctl restart tallyd.service"),
      (.person(beside: false), "systemctl --user restart tallyd.service"),
    ] {
      let found = SocketCheck(scope: scope, isNamed: false, patience: 50).findings([place])
      #expect(found.map(\.severity) == [.fault])
      #expect(found.first?.sentence == "The core at \(place) accepts connections, but does not reply.")
      #expect(found.first?.remedy?.command == command)
    }
    withExtendedLifetime(listener) {}
  }

  @Test func `a disk is named by the folder that the core has open`() throws {
    let (state, descriptors) = ("\(folder)/state", "\(folder)/fd")
    let manager = FileManager.default
    try manager.createDirectory(atPath: descriptors, withIntermediateDirectories: true)
    #expect(CoreFolder.find(in: descriptors) == nil)
    for (number, file) in [(3, "\(state)/lock"), (4, "/elsewhere/moved"), (5, "/dev/null")] {
      try manager.createSymbolicLink(atPath: "\(descriptors)/\(number)", withDestinationPath: file)
    }
    #expect(CoreFolder.find(in: descriptors) == state)
    #expect(CoreFolder.find(listeningAt: "\(folder)/nothing") == .none)
    // The process of another user, whose open files are not shown.
    let process = "\(folder)/process"
    try FileManager.default.createDirectory(atPath: process, withIntermediateDirectories: true)
    for (name, found) in [("tallyd", CoreFolder.Found.hidden), ("systemd", .none)] {
      try "\(name)\n".write(toFile: "\(process)/comm", atomically: true, encoding: .utf8)
      #expect(CoreFolder.find(process: process) == found)
    }
    try FileManager.default.createSymbolicLink(atPath: "\(process)/fd", withDestinationPath: descriptors)
    #expect(CoreFolder.find(process: process) == .folder(state))
    let finding = DiskCheck.finding(for: folder)
    #expect(finding.severity != .fine || finding.sentence.hasSuffix(" are free for \(folder)."))
  }

  @Test(arguments: [
    ("The disk that holds /x/counters.sqlite is full; free some space.", "df -h /x"),
    ("The disk quota for /x/counters.sqlite is used up; free some space or raise the quota.", "df -h /x"),
    ("/x/counters.sqlite was deleted, moved or replaced while tallyd was using it.", "ls -l /x"),
    ("Writing or reading /x/counters.sqlite failed: disk I/O error.", "sudo journalctl -k -b -p warning -n 20"),
  ]) func `a core that cannot store gets the command for its fault`(trouble: String, command: String) {
    let found = SocketCheck.storage(trouble, folder: "/x", restart: Remedy("tallyd"))
    #expect(found.severity == .fault && found.remedy?.command == command)
    #expect(found.sentence == "The core could not store the last change. \(trouble)")
  }

  @Test func `a motion sensor without a node is no device without a node`() {
    let sensor: JSONObject = ["path": "/sys/bus/iio/devices/iio:device0", "name": "accel", "wanted": true]
    #expect(DeviceCheck.findings([sensor], .machine).isEmpty)
    #expect(DeviceCheck.findings([], .machine).map(\.severity) == [.notice])
  }

  @Test func `a known device that nobody named is no fault, and the command that has it count is told`() {
    let pedal: JSONObject = [
      "path": "/dev/input/event5", "name": "FootSwitch", "wanted": false, "why": "it can type letters",
      "remedy": "sudo tally-input use event5   (without sudo for daemons of your own)",
    ]
    let found = DeviceCheck.findings([pedal], .machine)
    #expect(found.map(\.severity) == [.notice])
    #expect(found.first?.sentence == "/dev/input/event5 (FootSwitch) does not count: it can type letters.")
    #expect(found.first?.remedy?.command == "sudo tally-input use event5")
  }

  @Test func `a file that its group may only read is no device without permission`() throws {
    let file = "\(folder)/event5"
    try FileContent.replace(file, with: [])
    for (mode, mayRead) in [(mode_t(0o640), true), (0o600, false), (0o660, true)] {
      chmod(file, mode)
      #expect(SystemProbe.group(of: file)?.mayRead == mayRead)
    }
  }

  @Test func `the machine's devices are not judged by the settings of the person who asks`() {
    #expect(DeviceCheck.question(.machine) == "env XDG_CONFIG_HOME= HOME=/ tally-input devices --json")
    #expect(DeviceCheck.question(.person(beside: false)) == "tally-input devices --json")
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
                      to fix it: sudo mend it
                      (then look again)
        """)
    #expect(finding.json.object?["remedy"]?.string == "sudo mend it")
    #expect(finding.json.object?["hint"]?.string == "then look again")
  }

  private func status(_ address: String = "http://127.0.0.1:8464/", devices: Int64, _ rights: JSONObject) -> JSONObject
  {
    var status = rights
    (status["address"], status["devices"]) = (.string(address), .int(devices))
    return status
  }

  @Test func `the doctor says who reaches the board, how many devices are paired, and which right it lacks`() {
    let check = BoardCheck(place: BoardSocket.system)
    func found(_ status: JSONObject) -> [String] { check.findings(status).map { "\($0.severity) \($0.sentence)" } }
    #expect(
      found(status(devices: 2, ["mayRead": true, "mayCount": true])) == [
        "fine The board serves http://127.0.0.1:8464/ to this machine only.",
        "fine The board may read and count. 2 devices are paired.",
      ])
    for (address, isLocal) in [
      ("http://[::1]:8464/", true), ("http://0.0.0.0:8464/", false), ("http://[::]:8464/", false),
      ("http://192.168.1.5:8464/", false),
    ] {
      #expect(found(status(address, devices: 0, [:]))[0].contains("this machine only") == isLocal)
    }
    // A board without devices need not count.
    #expect(
      found(status(devices: 0, ["mayRead": true, "mayCount": false]))[1]
        == "notice The board may read, but not count. No devices are paired.")
    let fault = check.findings(status(devices: 1, ["mayRead": true, "mayCount": false]))[1]
    #expect((fault.severity, fault.sentence) == (.fault, "The board may read, but not count. 1 device is paired."))
    #expect(fault.remedy?.hint == "add \"tallymark-board\" to count, then: sudo systemctl reload tallyd")
    #expect(
      found(status(devices: 1, ["mayRead": false, "mayCount": false]))[1]
        == "fault The core does not let the board read. 1 device is paired.")
    #expect(found(status(devices: 1, [:]))[1] == "fault The board reaches no core. 1 device is paired.")
  }

  @Test func `a station that is not connected is a fault with a command, and one that is missing is a notice`() {
    func findings(_ members: JSONObject, _ state: [String: String]? = nil) -> [Finding] {
      var fleet: JSONObject = ["fleet": "venue", "station": "door1"]
      for (name, value) in members { fleet[name] = value }
      let unit = state.map { ServiceUnit("tally-mqttd.service", $0) }
      return FleetCheck(fleet: .init(fleet), scope: .machine, bridge: unit).findings
    }
    func remedy(_ state: [String: String]?) -> String? { findings(["connected": false], state).first?.remedy?.command }
    #expect(FleetCheck.findings(.init([:]), .machine, isNamed: false).isEmpty)
    #expect(
      findings(["connected": true]) == [
        .fine("fleet", "This station is connected to the broker of the fleet venue.")
      ])
    let away: JSON = ["name": "door2", "id": "2", "online": false]
    #expect(findings(["connected": true, "stations": [away]]) == [.notice("fleet", "door2 is offline.")])
    let alone = findings(["connected": false, "trouble": "Bridge: The broker is away.\nOne.", "stations": [away]])
    #expect(alone.map(\.severity) == [.fault, .notice, .notice])
    #expect(alone.map(\.sentence) == ["Bridge: The broker is away.", "One.", "door2 is offline."])
    #expect(alone[0].remedy == nil)
    let silent = findings(["connected": false, "trouble": "One."])
    #expect(silent.map(\.severity) == [.fault, .notice] && silent[0].sentence.hasPrefix("The bridge is not connected"))
    #expect(remedy(nil) == "tally-mqttd")
    #expect(remedy(["LoadState": "not-found"])?.hasSuffix("install-bridge") == true)
    #expect(
      remedy(["LoadState": "loaded", "ActiveState": "failed"]) == "sudo systemctl enable --now tally-mqttd.service")
    #expect(
      remedy(["LoadState": "loaded", "ActiveState": "active"]) == "sudo journalctl -u tally-mqttd.service -n 20")
  }

  @Test func `a board that should listen and does not is told of, and one that nobody wants is not`() {
    let (machine, own) = (BoardCheck(place: BoardSocket.system), BoardCheck(place: "\(folder)/board.sock"))
    func unit(_ load: String, _ active: String, _ file: String) -> ServiceUnit {
      ServiceUnit("tally-board-control.socket", ["LoadState": load, "ActiveState": active, "UnitFileState": file])
    }
    #expect(machine.absence(unit("not-found", "inactive", "")).isEmpty)
    #expect(machine.absence(unit("masked", "inactive", "masked")).isEmpty)
    #expect(machine.absence(unit("loaded", "inactive", "disabled")).map(\.severity) == [.notice])
    #expect(machine.absence(unit("loaded", "inactive", "enabled")).map(\.severity) == [.fault])
    #expect(machine.absence(unit("loaded", "failed", "disabled")).map(\.severity) == [.fault])
    #expect(own.absence(unit("loaded", "inactive", "disabled")).isEmpty)
    #expect(
      own.absence(unit("loaded", "inactive", "enabled")).first?.remedy?.command
        == "systemctl --user restart tally-board.socket tally-board-control.socket")
  }

  @Test func `a kiosk that is started again and again is a fault, and one that was set anew is not`() {
    func found(_ state: String, _ file: String, restarts: Int, age: Int64) -> [Finding.Severity] {
      let now: Int64 = 900_000_000
      return KioskCheck.findings(
        [
          "ActiveState": state, "UnitFileState": file, "NRestarts": "\(restarts)",
          "StateChangeTimestampMonotonic": "\(now - age * 1_000_000)",
        ], at: now
      ).map(\.severity)
    }
    #expect(found("active", "enabled", restarts: 40, age: 2) == [.fault])
    #expect(found("activating", "enabled", restarts: 40, age: 2) == [.fault])
    #expect(found("failed", "enabled", restarts: 40, age: 2) == [.fault])
    #expect(found("failed", "enabled", restarts: 2, age: 2) == [])
    #expect(found("active", "enabled", restarts: 2, age: 2) == [.fine])
    #expect(found("active", "enabled", restarts: 40, age: 600) == [.fine])
    #expect(found("inactive", "enabled", restarts: 40, age: 2) == [])
    #expect(found("active", "disabled", restarts: 40, age: 2) == [])
    #expect(KioskCheck.findings([:], at: 0).isEmpty)
  }

  @Test func `a board's socket that is stale or does not reply is a fault, and is not waited for`() throws {
    let place = "\(folder)/board.sock"
    let check = BoardCheck(place: place, patience: 50)
    var listener: FileDescriptor? = try UnixSocket.listen(at: place, mode: 0o600)
    #expect(check.findings().map(\.severity) == [.fault])
    #expect(check.findings().first?.sentence.hasPrefix("The board at \(place) does not reply as expected: ") == true)
    listener = nil
    _ = listener
    #expect(check.findings().first?.sentence == "No board listens at \(place): the socket is stale.")
  }
}
