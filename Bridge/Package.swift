// swift-tools-version: 6.2
import PackageDescription

/// The rules of the main package.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let core: Target.Dependency = .product(name: "Fleet", package: "tallymark")

/// A package of its own, so that a build without the bridge needs no libmosquitto.
let package = Package(
  name: "tallymark-bridge",
  products: [.executable(name: "tally-mqttd", targets: ["tally-mqttd"])],
  dependencies: [.package(name: "tallymark", path: "..")],
  targets: [
    .systemLibrary(name: "Cmosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    // Values: topics, queues, and documents for other programs.
    .target(name: "Bridge", dependencies: [core], swiftSettings: strict),
    // The only code that calls libmosquitto.
    .target(name: "MQTT", dependencies: [core, "Cmosquitto"], swiftSettings: strict + [.strictMemorySafety()]),
    // The connections to the core and to the broker.
    .target(name: "BridgeService", dependencies: ["Bridge", "MQTT", core], swiftSettings: strict),
    .executableTarget(
      name: "tally-mqttd", dependencies: ["BridgeService", "Bridge", "MQTT", core], swiftSettings: strict),
    .testTarget(name: "BridgeTests", dependencies: ["Bridge", "BridgeService", "MQTT", core], swiftSettings: strict),
  ]
)
