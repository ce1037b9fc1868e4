// swift-tools-version: 6.2
import PackageDescription

/// The rules of the main package.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The page; `PageFile` serves the same files.
let pageFiles =
  ["index.html", "board.css"]
  + [
    "board", "elements", "gestures", "help", "notices", "one", "overview", "pairing", "past", "queue", "settings",
    "setup", "state", "store", "stream", "surface", "texts", "tutorial",
  ].map { "\($0).js" }

let core: Target.Dependency = .product(name: "CountersAPI", package: "tallymark")

let plots: Target.Dependency = .product(name: "Plots", package: "tallymark")

let metrics: Target.Dependency = .product(name: "Metrics", package: "tallymark")

/// A package of its own, so that a build without the board needs no SwiftNIO.
let package = Package(
  name: "tallymark-board",
  products: [.executable(name: "tally-board", targets: ["tally-board"])],
  dependencies: [
    .package(name: "tallymark", path: ".."),
    // HTTP/1.1 towards strangers: a maintained parser with limits, on sockets that systemd passes.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .systemLibrary(name: "Cqrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    // Values: routes, checks, what pages are told, and the page's files.
    .target(
      name: "Board", dependencies: [core, plots, metrics, "Cqrencode"],
      resources: pageFiles.map { .embedInCode("Page/\($0)") },
      swiftSettings: strict),
    // The server and the connection to the core.
    .target(
      name: "BoardServer",
      dependencies: [
        "Board", core, plots,
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      resources: [.embedInCode("org.tallymark.Board.varlink")],
      swiftSettings: strict),
    .executableTarget(name: "tally-board", dependencies: ["BoardServer", core], swiftSettings: strict),
    .testTarget(name: "BoardTests", dependencies: ["Board", core, plots], swiftSettings: strict),
  ]
)
