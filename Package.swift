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

let package = Package(
  name: "tallymark",
  products: [
    // With the wrappers, whose event loop and sockets are in its interface.
    .library(name: "Varlink", targets: ["Varlink", "Platform"]),
    // For programs in package folders of their own, such as the board's.
    .library(name: "CountersAPI", targets: ["CountersAPI", "Counting", "Platform", "Tallymark", "Varlink"]),
    .library(name: "Plots", targets: ["Plots"]),
    .library(name: "Metrics", targets: ["Metrics"]),
    // For the bridge to a broker.
    .library(name: "Fleet", targets: ["Calendars", "Fleet", "Platform", "Tallymark", "Varlink"]),
    .executable(name: "tallyd", targets: ["tallyd"]),
    .executable(name: "tally-inputd", targets: ["tally-inputd"]),
    .executable(name: "tally-input", targets: ["tally-input"]),
    .executable(name: "tally", targets: ["tally"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    // The C libraries, named once each.
    .systemLibrary(name: "Csystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "Csqlite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "Clibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    .systemLibrary(name: "Clibudev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .target(name: "CLinux"),
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
    .target(name: "CountersAPI", dependencies: ["Counting", "Platform", "Varlink"], swiftSettings: strict),
    // Counters that many stations count together, with the messages between them.
    .target(name: "Fleet", dependencies: ["Counting", "Varlink"], swiftSettings: strict),
    // Charts of counts over time, for the command and the board.
    .target(
      name: "Plots", dependencies: ["Calendars", "Counting", "CountersAPI", "Platform"], swiftSettings: strict),
    // Counts in Prometheus' format, for the command and the board.
    .target(name: "Metrics", dependencies: ["Counting", "CountersAPI"], swiftSettings: strict),
    .target(
      name: "CounterStore", dependencies: ["Counting", "Fleet", "Platform", "CLinux", "Csqlite"],
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

    // Serves and calls the standard's certification interface; only the tests run it.
    .executableTarget(
      name: "varlink-certification", dependencies: ["Varlink", "Platform"], path: "Tests/VarlinkCertification",
      swiftSettings: strict),

    // A gesture daemon on a device that is replayed; Tests/Kills/run kills it.
    .executableTarget(
      name: "replayed-clicker", dependencies: ["GestureService", "Bindings", "Gestures", "Platform"],
      path: "Tests/Kills", exclude: ["run"], swiftSettings: strict),

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
    .target(name: "Randomness", path: "Tests/Randomness", swiftSettings: strict),
    // Temporary folders, waits, programs and seeds: what tests of several targets share.
    .target(name: "TestKit", dependencies: ["Platform", "Randomness"], path: "Tests/TestKit", swiftSettings: strict),
    // A motion sensor's folder and node as files.
    .target(name: "FakeSensor", dependencies: ["InputDevices", "Platform", "TestKit"], path: "Tests/FakeSensor"),
    // Series of counts for tests of charts.
    .target(
      name: "SampleSeries", dependencies: ["Calendars", "Counting", "Plots"], path: "Tests/SampleSeries",
      swiftSettings: strict),
    // Disks that fail and lose power, below SQLite.
    .target(name: "CFaultyDisk", dependencies: ["Csqlite"], path: "Tests/FaultyDisk"),

    .testTarget(name: "TestKitTests", dependencies: ["TestKit"], swiftSettings: strict),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestKit"], swiftSettings: strict),
    .testTarget(name: "TallymarkTests", dependencies: ["Tallymark"], swiftSettings: strict),
    .testTarget(name: "RemediesTests", dependencies: ["Remedies", "TestKit"], swiftSettings: strict),
    .testTarget(name: "VarlinkTests", dependencies: ["Varlink", "Platform", "TestKit"], swiftSettings: strict),
    .testTarget(
      name: "CalendarsTests", dependencies: ["Calendars", "TestKit"], exclude: ["zones.py"], swiftSettings: strict),
    .testTarget(name: "RationalsTests", dependencies: ["Rationals", "TestKit"], swiftSettings: strict),
    .testTarget(name: "FormulasTests", dependencies: ["Formulas", "Rationals", "TestKit"], swiftSettings: strict),
    .testTarget(
      name: "CountingTests", dependencies: ["Calendars", "Counting", "Formulas", "TestKit"], swiftSettings: strict),
    .testTarget(
      name: "CountersAPITests",
      dependencies: ["CounterService", "CountersAPI", "Counting", "Platform", "Varlink", "TestKit"],
      swiftSettings: strict),
    .testTarget(name: "FeedbackTests", dependencies: ["Feedback"], swiftSettings: strict),
    .testTarget(
      name: "GesturesTests", dependencies: ["Gestures", "Motion", "Recordings", "TestKit", "Randomness"],
      exclude: ["Recordings", "Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "CounterStoreTests", dependencies: ["Counting", "CounterStore", "Fleet", "TestKit"],
      resources: [.copy("Journals")],
      swiftSettings: strict),
    .testTarget(
      name: "CounterServiceTests",
      dependencies: [
        "Calendars", "CounterService", "CounterStore", "Counting", "Csqlite", "Fleet", "Varlink", "Platform",
        "Tallymark", "Toml", "CFaultyDisk", "TestKit",
      ],
      swiftSettings: strict),
    .testTarget(name: "FleetTests", dependencies: ["Fleet", "TestKit"], swiftSettings: strict),
    .testTarget(name: "MetricsTests", dependencies: ["CountersAPI", "Metrics", "Varlink"], swiftSettings: strict),
    .testTarget(
      name: "PlotsTests", dependencies: ["Calendars", "Counting", "CountersAPI", "Plots", "SampleSeries", "TestKit"],
      swiftSettings: strict),
    .testTarget(
      name: "TallyCommandTests",
      dependencies: [
        "Calendars", "Counting", "CountersAPI", "Plots", "Remedies", "SampleSeries", "TallyCommand", "Tallymark",
        "Varlink",
        "Platform", "TestKit", arguments,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ProgramsTests",
      dependencies: ["tally", "tallyd", "tally-inputd", "Csqlite", "Platform", "TestKit", "Varlink"],
      swiftSettings: strict),
    .testTarget(
      name: "RecordingsTests", dependencies: ["Recordings", "Gestures", "Motion", "Randomness", "TestKit"],
      swiftSettings: strict),
    .testTarget(
      name: "InputToolsTests",
      dependencies: [
        "InputTools", "Bindings", "GestureService", "Gestures", "InputDevices", "Platform", "Recordings", "TestKit",
        "Toml",
      ],
      swiftSettings: strict),
    .testTarget(name: "MotionSensorsTests", dependencies: ["MotionSensors"], swiftSettings: strict),
    .testTarget(
      name: "InputDevicesTests",
      dependencies: ["FakeSensor", "InputDevices", "Gestures", "MotionSensors", "Platform", "Remedies", "TestKit"],
      swiftSettings: strict),
    .testTarget(
      name: "BindingsTests", dependencies: ["Bindings", "Feedback", "Gestures", "Toml"], exclude: ["Devices"],
      swiftSettings: strict),
    .testTarget(
      name: "GestureServiceTests",
      dependencies: [
        "GestureService", "Bindings", "CountersAPI", "FakeSensor", "Feedback", "Gestures", "InputDevices", "Varlink",
        "Platform", "Toml", "TestKit",
      ],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
