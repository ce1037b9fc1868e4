// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same rules.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Targets that call C directly answer for each unsafe expression as well.
let strictOverC = strict + [.strictMemorySafety()]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// The page; `PageFile` serves the same files.
let pageFiles =
  ["index.html", "digits.woff2", "icon.png", "manifest.json"]
  + ["base", "one", "overview", "past", "setup", "sheets", "help", "wall"].map { "\($0).css" }
  + [
    "amount", "awake", "board", "carrying", "chart", "colours", "day", "device", "elements", "empty", "events",
    "follow", "gestures", "hand", "help", "history", "icons", "keypad", "later", "lessons", "list", "marks",
    "notes", "notices", "one", "ordering", "overview", "pager", "pairing", "past", "picker", "picture", "queue",
    "settings", "setup", "sharing", "sheets", "state", "store", "stream", "sums", "surface", "texts", "tiles",
    "tutorial", "wall",
  ].map { "\($0).js" }

/// The folders of Sources, from values to programs. A module imports modules of its own folder and of the folders
/// before it, up to Core. Input, Command, Web and Bridge are siblings that import nothing of each other, except that
/// Web imports Reports of Command. `scripts/check-house` tests this.
enum Folder: String {
  case values = "Values"
  case system = "System"
  case core = "Core"
  case input = "Input"
  case command = "Command"
  case web = "Web"
  case bridge = "Bridge"

  /// A library in Swift.
  func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], callsC: Bool = false, resources: [Resource]? = nil,
    linkerSettings: [LinkerSetting]? = nil
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: "Sources/\(rawValue)/\(name)", resources: resources,
      swiftSettings: callsC ? strictOverC : strict, linkerSettings: linkerSettings)
  }

  /// A program: arguments and wiring.
  func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: "Sources/\(rawValue)/\(name)", swiftSettings: strict)
  }

  /// A C library that is built here.
  func c(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(rawValue)/\(name)")
  }

  /// A C library of the system.
  func systemLibrary(_ name: String, _ pkgConfig: String, package: String) -> Target {
    .systemLibrary(
      name: name, path: "Sources/\(rawValue)/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
  }

  /// The unit tests of a module, in a tree that mirrors Sources.
  func unitTests(
    of module: String, with others: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource]? = nil
  ) -> Target {
    .testTarget(
      name: "\(module)Tests", dependencies: [.target(name: module)] + others,
      path: "Tests/Unit/\(rawValue)/\(module)", exclude: exclude, resources: resources, swiftSettings: strict)
  }
}

let package = Package(
  name: "tallymark",
  products: [
    // With the wrappers, whose event loop and sockets are in its interface.
    .library(name: "Varlink", targets: ["JSON", "Varlink", "Linux"]),
    .library(name: "CoreAPI", targets: ["CoreAPI", "Counting", "JSON", "Linux", "Tallymark", "Varlink"]),
    .executable(name: "tallyd", targets: ["tallyd"]),
    .executable(name: "tally-inputd", targets: ["tally-inputd"]),
    .executable(name: "tally-input", targets: ["tally-input"]),
    .executable(name: "tally", targets: ["tally"]),
    .executable(name: "tally-board", targets: ["tally-board"]),
    .executable(name: "tally-mqttd", targets: ["tally-mqttd"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // HTTP/1.1 towards strangers: a maintained parser with limits, on sockets that systemd passes.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    // Values: no descriptor, no clock, no C library.
    Folder.values.module("Text"),
    Folder.values.module("JSON", callsC: true),
    Folder.values.module("Calendars", callsC: true),
    Folder.values.module("Counting", ["Calendars"]),
    // Rounding is the C library's; without a Glibc import nobody else asks for it.
    Folder.values.module("Gestures", linkerSettings: [.linkedLibrary("m")]),
    // Recordings of devices as text, in the formats of evemu, libinput and our own.
    Folder.values.module("Recordings", ["Gestures"]),
    Folder.values.module("Feedback", linkerSettings: [.linkedLibrary("m")]),
    // Counters that many stations count together, with the messages between them.
    Folder.values.module("Fleet", ["Counting", "JSON", "Text"]),

    // The system: wrappers of Linux, libsystemd and toml++, and the Varlink protocol; nothing of Tallymark.
    Folder.system.systemLibrary("Csystemd", "libsystemd", package: "libsystemd-dev"),
    Folder.system.c("CLinux"),
    Folder.system.c("Ctoml"),
    Folder.system.module("Linux", ["Text", "CLinux", "Csystemd"], callsC: true),
    Folder.system.module("Toml", ["Ctoml"], callsC: true),
    // A library for any project.
    Folder.system.module("Varlink", ["JSON", "Linux", "CLinux"], callsC: true),
    // Swift code for an interface: `make types` writes the types of CoreAPI.
    Folder.system.module("SwiftTypes", ["JSON", "Varlink"]),
    Folder.system.program("write-types", ["SwiftTypes", "Varlink"]),

    // The core: the journal, the rules over it, and its interface.
    Folder.core.systemLibrary("Csqlite", "sqlite3", package: "libsqlite3-dev"),
    // Checksums and descriptors below SQLite.
    Folder.core.c("CJournalFile", ["Csqlite"]),
    // Shared by all programs: name, version, paths, the daemons' options and retries, commands to suggest.
    Folder.core.module("Tallymark", ["Linux"], callsC: true),
    Folder.core.module("CoreAPI", ["Counting", "JSON", "Linux", "Tallymark", "Varlink"]),
    Folder.core.module(
      "Journal", ["Calendars", "Counting", "Fleet", "Linux", "Text", "CLinux", "CJournalFile", "Csqlite"], callsC: true),
    Folder.core.module(
      "CoreService",
      [
        "Calendars", "Counting", "CoreAPI", "Fleet", "Journal", "JSON", "Text", "Varlink", "Linux", "Tallymark", "Toml",
      ],
      resources: [.embedInCode("org.tallymark.Counters.varlink")]),
    Folder.core.program("tallyd", ["CoreService", "Linux", "Tallymark", "Toml"]),

    // Devices, gestures and what they are bound to.
    Folder.input.systemLibrary("Clibevdev", "libevdev", package: "libevdev-dev"),
    Folder.input.systemLibrary("Clibudev", "libudev", package: "libudev-dev"),
    Folder.input.c("Calsa"),
    Folder.input.module(
      "InputDevices",
      ["Feedback", "Gestures", "Linux", "Tallymark", "CLinux", "Calsa", "Clibevdev", "Clibudev"],
      callsC: true),
    Folder.input.module(
      "Bindings", ["Counting", "Gestures", "Feedback", "Text", "Toml"],
      resources: [.embedInCode("known-devices.toml")]),
    Folder.input.module(
      "InputDaemon",
      [
        "Bindings", "CoreAPI", "Gestures", "Feedback", "InputDevices", "JSON", "Tallymark", "Text", "Varlink", "Linux",
        "Toml",
      ]),
    // What people do with devices before they count with them: learn, monitor, tune, record, replay.
    Folder.input.module(
      "InputTools",
      [
        "Bindings", "Counting", "CoreAPI", "Feedback", "InputDaemon", "Gestures", "InputDevices", "JSON", "Linux",
        "Recordings", "Tallymark", "Text", "Toml", "Varlink",
      ]),
    Folder.input.program("tally-inputd", ["InputDaemon", "Linux", "Tallymark"]),
    Folder.input.program(
      "tally-input", ["InputTools", "InputDaemon", "InputDevices", "Bindings", "Linux", "Tallymark"]),

    // The command line. Reports are charts, numbers as text and Prometheus' format, for the board as well.
    Folder.command.module("Reports", ["Calendars", "Counting", "CoreAPI", "Text"]),
    Folder.command.module(
      "TallyCommand",
      [
        "Calendars", "Counting", "CoreAPI", "Fleet", "Journal", "JSON", "Reports", "Tallymark", "Text", "Varlink",
        "Linux",
        arguments,
      ]),
    Folder.command.program("tally", ["TallyCommand"]),

    // The page. Values: routes, checks, messages to pages, and the page's files.
    Folder.web.systemLibrary("Cqrencode", "libqrencode", package: "libqrencode-dev"),
    Folder.web.module(
      "Board", ["Counting", "CoreAPI", "JSON", "Linux", "Reports", "Text", "Varlink", "Cqrencode"],
      resources: pageFiles.map { .embedInCode("Page/\($0)") }),
    // The server and its connection to the core.
    Folder.web.module(
      "BoardServer",
      [
        "Board", "CoreAPI", "JSON", "Linux", "Reports", "Tallymark", "Text", "Varlink",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      resources: [.embedInCode("org.tallymark.Board.varlink")]),
    Folder.web.program("tally-board", ["Board", "BoardServer", "JSON", "Linux", "Tallymark", "Text", "Varlink"]),

    // The bridge to an MQTT broker. Values: topics, queues, and documents for other programs.
    Folder.bridge.systemLibrary("Cmosquitto", "libmosquitto", package: "libmosquitto-dev"),
    Folder.bridge.module("Bridge", ["Calendars", "CoreAPI", "Fleet", "JSON", "Text"]),
    // The only code that calls libmosquitto.
    Folder.bridge.module("MQTT", ["Linux", "Cmosquitto"], callsC: true),
    // The connections to the core and to the broker.
    Folder.bridge.module(
      "BridgeService", ["Bridge", "CoreAPI", "Fleet", "JSON", "MQTT", "Linux", "Tallymark", "Text", "Varlink"]),
    Folder.bridge.program("tally-mqttd", ["Bridge", "BridgeService", "MQTT", "Linux", "Tallymark"]),

    // Nothing of their own: a build of one of these uses all processors for several programs.
    .target(
      name: "core-programs", dependencies: ["tallyd", "tally-inputd", "tally-input", "tally"],
      path: "Sources/programs/core"),
    .target(
      name: "all-programs",
      dependencies: [
        "tallyd", "tally-inputd", "tally-input", "tally", "tally-board", "tally-mqttd", "replayed-clicker",
      ],
      path: "Sources/programs/all"),

    // Serves and calls the standard's certification interface; only the tests run it.
    .executableTarget(
      name: "varlink-certification", dependencies: ["JSON", "Varlink", "Linux"],
      path: "Tests/Programs/ForeignClient/Certification",
      swiftSettings: strict),

    // A gesture daemon on a device that is replayed; Tests/Endurance/Kills/run kills it.
    .executableTarget(
      name: "replayed-clicker", dependencies: ["InputDaemon", "Bindings", "Gestures", "Linux"],
      path: "Tests/Endurance/Kills", exclude: ["run"], swiftSettings: strict),

    // Prints what a frame costs; only the benchmark runs it.
    .executableTarget(
      name: "recognizer-cost", dependencies: ["Gestures"], path: "Benchmarks/Recognizer", swiftSettings: strict),
    // Generated motion and the rules of other projects: what the shake recogniser is scored and tested with.
    .target(
      name: "Motion", dependencies: ["Gestures", "Randomness", "Recordings"], path: "Benchmarks/Motion",
      swiftSettings: strict),
    .executableTarget(
      name: "shake-score", dependencies: ["Motion", "Gestures"], path: "Benchmarks/ShakeScore",
      swiftSettings: strict),

    // Numbers that follow from a seed, for tests and benchmarks.
    .target(name: "Randomness", path: "Tests/Kit/Randomness", swiftSettings: strict),
    // Temporary folders, waits, programs and seeds: what tests of several targets share.
    .target(
      name: "TestKit", dependencies: ["Linux", "Randomness"], path: "Tests/Kit/TestKit", swiftSettings: strict),
    // A motion sensor's folder and node as files.
    .target(name: "FakeSensor", dependencies: ["InputDevices", "Linux", "TestKit"], path: "Tests/Kit/FakeSensor"),
    // Frames, nodes and configurations of devices.
    .target(
      name: "InputKit", dependencies: ["Bindings", "Gestures", "InputDevices", "Toml"], path: "Tests/Kit/InputKit",
      swiftSettings: strict),
    // Series of counts for tests of charts.
    .target(
      name: "SampleSeries", dependencies: ["Calendars", "Counting", "Reports"], path: "Tests/Kit/SampleSeries",
      swiftSettings: strict),
    // Disks that fail and lose power, below SQLite.
    .target(name: "CFaultyDisk", dependencies: ["Csqlite"], path: "Tests/Kit/FaultyDisk"),

    .testTarget(
      name: "TestKitTests", dependencies: ["TestKit"], path: "Tests/Unit/TestKit", swiftSettings: strict),
    Folder.values.unitTests(of: "Text", with: ["TestKit"]),
    Folder.values.unitTests(of: "JSON", with: ["TestKit"]),
    Folder.values.unitTests(of: "Calendars", with: ["TestKit"], exclude: ["zones.py"]),
    Folder.values.unitTests(of: "Counting", with: ["Calendars", "TestKit"]),
    Folder.values.unitTests(
      of: "Gestures", with: ["Motion", "Recordings", "TestKit", "Randomness"],
      exclude: ["Recordings", "Golden", "Reports"]),
    Folder.values.unitTests(of: "Recordings", with: ["Gestures", "Motion", "Randomness", "TestKit"]),
    Folder.values.unitTests(of: "Feedback"),
    Folder.values.unitTests(of: "Fleet", with: ["JSON", "TestKit"]),
    Folder.system.unitTests(of: "Linux", with: ["TestKit"]),
    Folder.system.unitTests(of: "Varlink", with: ["JSON", "Linux", "TestKit"]),
    Folder.system.unitTests(of: "SwiftTypes", with: ["Varlink"]),
    Folder.core.unitTests(of: "Tallymark", with: ["TestKit"]),
    Folder.core.unitTests(of: "CoreAPI", with: ["CoreService", "Counting", "JSON", "Linux", "Varlink", "TestKit"]),
    Folder.core.unitTests(of: "Journal", with: ["Calendars", "Counting", "Fleet", "JSON", "TestKit"]),
    Folder.core.unitTests(
      of: "CoreService",
      with: [
        "Bridge", "Calendars", "Journal", "Counting", "Csqlite", "Fleet", "JSON", "Varlink", "Linux", "Tallymark",
        "Text",
        "Toml", "CFaultyDisk", "TestKit",
      ]),
    Folder.input.unitTests(
      of: "InputDevices", with: ["FakeSensor", "Gestures", "InputKit", "Linux", "Tallymark", "TestKit"]),
    Folder.input.unitTests(
      of: "Bindings", with: ["Feedback", "Gestures", "InputKit", "TestKit", "Toml"], exclude: ["Devices"]),
    Folder.input.unitTests(
      of: "InputDaemon",
      with: [
        "Bindings", "CoreAPI", "FakeSensor", "Feedback", "Gestures", "InputDevices", "InputKit", "JSON", "Varlink",
        "Linux", "Toml", "TestKit",
      ]),
    Folder.input.unitTests(
      of: "InputTools",
      with: [
        "Bindings", "InputDaemon", "Gestures", "InputDevices", "InputKit", "JSON", "Linux", "Recordings", "TestKit",
        "Toml",
      ]),
    Folder.command.unitTests(
      of: "Reports", with: ["Calendars", "Counting", "CoreAPI", "JSON", "SampleSeries", "TestKit", "Varlink"]),
    Folder.command.unitTests(
      of: "TallyCommand",
      with: [
        "Calendars", "Counting", "CoreAPI", "JSON", "Reports", "SampleSeries", "Tallymark", "Text", "Varlink", "Linux",
        "TestKit", arguments,
      ]),
    Folder.web.unitTests(of: "Board", with: ["CoreAPI", "Counting", "JSON", "Reports", "Varlink"]),
    Folder.bridge.unitTests(
      of: "Bridge", with: ["BridgeService", "CoreAPI", "Fleet", "JSON", "MQTT", "TestKit", "Varlink"]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "tally", "tallyd", "tally-input", "tally-inputd", "varlink-certification", "JSON", "TestKit", "Varlink",
      ],
      path: "Tests/Programs/Command", swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
