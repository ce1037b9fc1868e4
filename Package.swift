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
  ["index.html", "board.css"]
  + [
    "board", "elements", "gestures", "help", "notices", "one", "overview", "pairing", "past", "queue", "settings",
    "setup", "state", "store", "stream", "surface", "texts", "tutorial",
  ].map { "\($0).js" }

/// The unit tests of a module, in a tree that mirrors Sources.
func unitTests(
  of module: String, with others: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: "\(module)Tests", dependencies: [.target(name: module)] + others, path: "Tests/Unit/\(module)",
    exclude: exclude, resources: resources, swiftSettings: strict)
}

let package = Package(
  name: "tallymark",
  products: [
    // With the wrappers, whose event loop and sockets are in its interface.
    .library(name: "Varlink", targets: ["Varlink", "Platform"]),
    .library(name: "CountersAPI", targets: ["CountersAPI", "Counting", "Platform", "Tallymark", "Varlink"]),
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
    // The C libraries, named once each.
    .systemLibrary(name: "Csystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "Csqlite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "Clibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    .systemLibrary(name: "Clibudev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .systemLibrary(name: "Cqrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "Cmosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .target(name: "CLinux"),
    // Checksums and descriptors below SQLite.
    .target(name: "CJournalFile", dependencies: ["Csqlite"]),
    .target(name: "Ctoml"),
    .target(name: "Calsa"),

    // Values and protocols; an arrow only ever points down this list.
    .target(name: "Calendars", swiftSettings: strictOverC),
    .target(name: "Rationals", swiftSettings: strict),
    .target(name: "Formulas", dependencies: ["Rationals"], swiftSettings: strict),
    .target(name: "Counting", dependencies: ["Calendars", "Formulas", "Rationals"], swiftSettings: strict),
    // Rounding is the C library's; without a Glibc import nobody else asks for it.
    .target(name: "Gestures", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
    // Recordings of devices as text, in the formats of evemu, libinput and our own.
    .target(name: "Recordings", dependencies: ["Gestures"], swiftSettings: strict),
    .target(name: "MotionSensors", swiftSettings: strict),
    .target(name: "Feedback", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
    // Wrappers of the kernel, libc and libsystemd; nothing of the product.
    .target(name: "Platform", dependencies: ["CLinux", "Csystemd"], swiftSettings: strictOverC),
    // What the three programs share: name, version, paths, and the daemons' options and retries.
    .target(name: "Tallymark", dependencies: ["Platform"], swiftSettings: strict),
    // Commands that the doctor and the daemons suggest, by how Tallymark was installed.
    .target(name: "Remedies", swiftSettings: strictOverC),
    .target(name: "Loudspeaker", dependencies: ["Feedback", "Platform", "Calsa"], swiftSettings: strictOverC),
    // A library for any project; depends on the wrappers only.
    .target(name: "Varlink", dependencies: ["Platform", "CLinux"], swiftSettings: strictOverC),
    // Swift code for an interface: `make types` writes the types of CountersAPI.
    .target(name: "SwiftTypes", dependencies: ["Varlink"], swiftSettings: strict),
    .executableTarget(name: "write-types", dependencies: ["SwiftTypes", "Varlink"], swiftSettings: strict),
    .target(name: "CountersAPI", dependencies: ["Counting", "Platform", "Varlink"], swiftSettings: strict),
    // Counters that many stations count together, with the messages between them.
    .target(name: "Fleet", dependencies: ["Counting", "Varlink"], swiftSettings: strict),
    // Charts of counts over time, for the command and the board.
    .target(
      name: "Plots", dependencies: ["Calendars", "Counting", "CountersAPI", "Platform"], swiftSettings: strict),
    // Counts in Prometheus' format, for the command and the board.
    .target(name: "Metrics", dependencies: ["Counting", "CountersAPI"], swiftSettings: strict),
    .target(
      name: "CounterStore", dependencies: ["Counting", "Fleet", "Platform", "CLinux", "CJournalFile", "Csqlite"],
      swiftSettings: strictOverC),
    .target(name: "Suggestions", swiftSettings: strict),
    .target(name: "Toml", dependencies: ["Ctoml"], swiftSettings: strictOverC),
    .target(
      name: "InputDevices",
      dependencies: [
        "Gestures", "MotionSensors", "Platform", "Remedies", "CLinux", "Clibevdev", "Clibudev",
      ],
      swiftSettings: strictOverC),
    .target(
      name: "Bindings", dependencies: ["Counting", "Gestures", "Feedback", "Suggestions", "Toml"],
      resources: [.embedInCode("known-devices.toml")], swiftSettings: strict),
    .target(
      name: "CounterService",
      dependencies: [
        "Calendars", "Counting", "CountersAPI", "Fleet", "Formulas", "Rationals", "CounterStore", "Suggestions",
        "Varlink", "Platform", "Tallymark", "Toml",
      ],
      resources: [.embedInCode("org.tallymark.Counters.varlink")], swiftSettings: strict),
    .target(
      name: "GestureService",
      dependencies: [
        "Bindings", "Counting", "CountersAPI", "Gestures", "Feedback", "InputDevices", "Loudspeaker", "Remedies",
        "Suggestions", "Tallymark", "Varlink", "Platform", "Toml",
      ],
      swiftSettings: strict),

    // What people do with devices before they count with them: learn, monitor, tune, record, replay.
    .target(
      name: "InputTools",
      dependencies: [
        "Bindings", "Counting", "CountersAPI", "Feedback", "GestureService", "Gestures", "InputDevices", "Platform",
        "Recordings", "Suggestions", "Tallymark", "Toml", "Varlink",
      ],
      swiftSettings: strict),
    .target(
      name: "TallyCommand",
      dependencies: [
        "Calendars", "Counting", "CountersAPI", "CounterStore", "Formulas", "Metrics", "Plots", "Remedies",
        "Suggestions",
        "Tallymark", "Varlink", "Platform", arguments,
      ],
      swiftSettings: strict),

    // The page server. Values: routes, checks, messages to pages, and the page's files.
    .target(
      name: "Board", dependencies: ["Counting", "CountersAPI", "Metrics", "Platform", "Plots", "Varlink", "Cqrencode"],
      resources: pageFiles.map { .embedInCode("Page/\($0)") }, swiftSettings: strict),
    // The server and its connection to the core.
    .target(
      name: "BoardServer",
      dependencies: [
        "Board", "CountersAPI", "Platform", "Plots", "Tallymark", "Varlink",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      resources: [.embedInCode("org.tallymark.Board.varlink")], swiftSettings: strict),

    // The bridge to an MQTT broker. Values: topics, queues, and documents for other programs.
    .target(name: "Bridge", dependencies: ["Calendars", "Fleet", "Varlink"], swiftSettings: strict),
    // The only code that calls libmosquitto.
    .target(name: "MQTT", dependencies: ["Platform", "Cmosquitto"], swiftSettings: strictOverC),
    // The connections to the core and to the broker.
    .target(
      name: "BridgeService", dependencies: ["Bridge", "Fleet", "MQTT", "Platform", "Tallymark", "Varlink"],
      swiftSettings: strict),

    // The programs: arguments and wiring.
    .executableTarget(
      name: "tallyd", dependencies: ["CounterService", "Platform", "Tallymark", "Toml"], swiftSettings: strict),
    .executableTarget(
      name: "tally-inputd", dependencies: ["GestureService", "Platform", "Remedies", "Tallymark"],
      swiftSettings: strict),
    .executableTarget(
      name: "tally-input", dependencies: ["InputTools", "GestureService", "Bindings", "Platform", "Tallymark"],
      swiftSettings: strict),
    .executableTarget(name: "tally", dependencies: ["TallyCommand"], swiftSettings: strict),
    .executableTarget(
      name: "tally-board", dependencies: ["Board", "BoardServer", "Platform", "Tallymark", "Varlink"],
      swiftSettings: strict),
    .executableTarget(
      name: "tally-mqttd", dependencies: ["Bridge", "BridgeService", "MQTT", "Platform", "Tallymark"],
      swiftSettings: strict),

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
      name: "varlink-certification", dependencies: ["Varlink", "Platform"],
      path: "Tests/Programs/ForeignClient/Certification",
      swiftSettings: strict),

    // A gesture daemon on a device that is replayed; Tests/Endurance/Kills/run kills it.
    .executableTarget(
      name: "replayed-clicker", dependencies: ["GestureService", "Bindings", "Gestures", "Platform"],
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
      name: "TestKit", dependencies: ["Platform", "Randomness"], path: "Tests/Kit/TestKit", swiftSettings: strict),
    // A motion sensor's folder and node as files.
    .target(name: "FakeSensor", dependencies: ["InputDevices", "Platform", "TestKit"], path: "Tests/Kit/FakeSensor"),
    // Frames, nodes and configurations of devices.
    .target(
      name: "InputKit", dependencies: ["Bindings", "Gestures", "InputDevices", "Toml"], path: "Tests/Kit/InputKit",
      swiftSettings: strict),
    // Series of counts for tests of charts.
    .target(
      name: "SampleSeries", dependencies: ["Calendars", "Counting", "Plots"], path: "Tests/Kit/SampleSeries",
      swiftSettings: strict),
    // Disks that fail and lose power, below SQLite.
    .target(name: "CFaultyDisk", dependencies: ["Csqlite"], path: "Tests/Kit/FaultyDisk"),

    unitTests(of: "TestKit"),
    unitTests(of: "Platform", with: ["TestKit"]),
    unitTests(of: "Tallymark"),
    unitTests(of: "Remedies", with: ["TestKit"]),
    unitTests(of: "Varlink", with: ["Platform", "TestKit"]),
    unitTests(of: "Calendars", with: ["TestKit"], exclude: ["zones.py"]),
    unitTests(of: "Rationals", with: ["TestKit"]),
    unitTests(of: "Formulas", with: ["Rationals", "TestKit"]),
    unitTests(of: "Counting", with: ["Calendars", "Formulas", "TestKit"]),
    unitTests(of: "SwiftTypes", with: ["Varlink"]),
    unitTests(of: "CountersAPI", with: ["CounterService", "Counting", "Platform", "Varlink", "TestKit"]),
    unitTests(of: "Feedback"),
    unitTests(
      of: "Gestures", with: ["Motion", "Recordings", "TestKit", "Randomness"],
      exclude: ["Recordings", "Golden", "Reports"]),
    unitTests(of: "CounterStore", with: ["Counting", "Fleet", "TestKit"]),
    unitTests(
      of: "CounterService",
      with: [
        "Calendars", "CounterStore", "Counting", "Csqlite", "Fleet", "Varlink", "Platform", "Tallymark", "Toml",
        "CFaultyDisk", "TestKit",
      ]),
    unitTests(of: "Fleet", with: ["TestKit"]),
    unitTests(of: "Metrics", with: ["CountersAPI", "Varlink"]),
    unitTests(of: "Plots", with: ["Calendars", "Counting", "CountersAPI", "SampleSeries", "TestKit"]),
    unitTests(
      of: "TallyCommand",
      with: [
        "Calendars", "Counting", "CountersAPI", "Plots", "Remedies", "SampleSeries", "Tallymark", "Varlink", "Platform",
        "TestKit", arguments,
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "tally", "tallyd", "tally-input", "tally-inputd", "varlink-certification", "TestKit", "Varlink",
      ],
      path: "Tests/Programs/Command", swiftSettings: strict),
    unitTests(of: "Recordings", with: ["Gestures", "Motion", "Randomness", "TestKit"]),
    unitTests(
      of: "InputTools",
      with: [
        "Bindings", "GestureService", "Gestures", "InputDevices", "InputKit", "Platform", "Recordings", "TestKit",
        "Toml",
      ]),
    unitTests(of: "MotionSensors"),
    unitTests(
      of: "InputDevices",
      with: ["FakeSensor", "Gestures", "InputKit", "MotionSensors", "Platform", "Remedies", "TestKit"]),
    unitTests(of: "Bindings", with: ["Feedback", "Gestures", "InputKit", "TestKit", "Toml"], exclude: ["Devices"]),
    unitTests(
      of: "GestureService",
      with: [
        "Bindings", "CountersAPI", "FakeSensor", "Feedback", "Gestures", "InputDevices", "InputKit", "Varlink",
        "Platform", "Toml", "TestKit",
      ]),
    unitTests(of: "Board", with: ["CountersAPI", "Counting", "Plots", "Varlink"]),
    unitTests(of: "Bridge", with: ["BridgeService", "Fleet", "MQTT", "TestKit", "Varlink"]),
  ],
  cxxLanguageStandard: .cxx17
)
