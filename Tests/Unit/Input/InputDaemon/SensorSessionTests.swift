import Bindings
import FakeSensor
import Gestures
import InputDaemon
import InputDevices
import InputKit
import Linux
import Tallymark
import TestKit
import Testing

/// A motion sensor in use that does not do as it should: what is wrong is said once, and it is tried again until it works.
@Suite struct SensorSessionTests {
  private final class Use {
    let loop: EventLoop
    let fake: FakeSensor
    var session: SensorSession?
    var shakes = 0

    init(_ fake: FakeSensor) throws {
      (self.fake, loop) = (fake, try EventLoop())
      let configuration = try Configuration(file: bind("shake"))
      let description = DeviceDescription(name: "fake", properties: [6])
      session = try SensorSession(
        loop: loop, node: DeviceNode(syspath: fake.folder.path, path: fake.node, description: description),
        folder: fake.folder, rule: configuration.preview(of: description),
        backoff: Backoff(shortest: 5_000_000, longest: 20_000_000),
        onGestures: { [unowned self] in shakes += $0.count })
    }

    var mode: MotionSensor.Mode? { session?.mode }

    /// How many of the things that were said hold some words.
    func said(_ words: String) -> Int { session?.said.filter { $0.contains(words) }.count ?? 0 }

    /// Runs the loop until something is so.
    func run(file: StaticString = #fileID, line: Int = #line, until condition: (Use) -> Bool) throws {
      try Wait.until("the condition of this line", turning: loop, file: file, line: line) { condition(self) }
    }
  }

  static let faults: [(attributes: [String: String], mended: [String: String], words: String)] = [
    (["in_accel_scale": "0"], ["in_accel_scale": "0.01"], "its scale is \"0\""),
    (["in_accel_scale": "nan"], ["in_accel_scale": "0.01"], "its scale is \"nan\""),
    (
      ["scan_elements/in_accel_y_type": "le:s99/16>>0"], ["scan_elements/in_accel_y_type": "le:s16/16>>0"],
      "no way to lay out a value"
    ),
  ]

  @Test(arguments: faults) func `a driver that makes no sense is named once, and used when it makes sense`(
    attributes: [String: String], mended: [String: String], words: String
  ) throws {
    let fake = try FakeSensor()
    fake.set(attributes)
    let use = try Use(fake)
    #expect(use.mode == nil)
    for _ in 0..<10 { _ = try use.loop.runOnce(waiting: 10_000) }
    #expect(use.said(words) == 1)
    fake.set(mended)
    try use.run { $0.mode == .buffered }
    #expect(use.said(words) == 1)
  }

  @Test func `without a scale at all it is named, and used when there is one`() throws {
    let fake = try FakeSensor()
    fake.remove("in_accel_scale")
    let use = try Use(fake)
    #expect(use.said("it states no scale") == 1)
    fake.set(["in_accel_scale": "0.01"])
    try use.run { $0.mode == .buffered }
  }

  @Test func `a sensor that is gone is tried again, and is back without a word`() throws {
    let use = try Use(FakeSensor())
    use.fake.vanish()
    try use.run { $0.mode == nil }
    use.fake.appear()
    try use.run { $0.mode == .buffered }
    #expect(use.said("cannot be read") == 0)
  }

  @Test func `a buffer that another program has is asked about once, and used when it is free`() throws {
    let fake = try FakeSensor()
    fake.set(["buffer/enable": "1", "buffer/length": "128"])
    let use = try Use(fake)
    #expect(use.mode == .polled(.held))
    #expect(use.said("another program uses its buffer") == 1)
    fake.set(["buffer/enable": "0"])
    try use.run { $0.mode == .buffered }
  }

  @Test func `a sensor that another program switches off again and again is named once`() throws {
    let use = try Use(FakeSensor())
    for _ in 0..<2 {
      use.fake.set(["buffer/enable": "0"])
      try use.run { $0.mode == nil }
      try use.run { $0.mode == .buffered }
    }
    #expect(use.said("switched its buffer off") == 1)
  }

  @Test func `a flood of extremes counts nothing and ends nothing`() throws {
    let use = try Use(FakeSensor())
    for round in 0..<40 {
      for step in 0..<250 { use.fake.feed(x: step.isMultiple(of: 2) ? .max : .min, y: .min, at: Clock.boottime()) }
      if round.isMultiple(of: 10) { _ = try use.loop.runOnce(waiting: 50_000) }
    }
    #expect(use.mode == .buffered)
    #expect(use.shakes == 0)
  }
}
