import FakeSensor
import Gestures
import Glibc
import InputDevices
import Linux
import Testing

/// Setting a sensor up and reading its buffer.
@Suite struct SensorBufferTests {
  let fake: FakeSensor

  init() throws { fake = try FakeSensor() }

  private func buffer(node: String? = nil) throws -> SensorBuffer {
    try SensorBuffer(fake.folder, node: node ?? fake.node)
  }

  @Test func `a sensor is set to 100 Hz, the clock of gestures, three axes and its own trigger`() throws {
    let buffer = try self.buffer()
    let settings = [
      "in_accel_sampling_frequency": "100", "current_timestamp_clock": "boottime", "buffer/enable": "1",
      "buffer/length": "250", "buffer/watermark": "4", "trigger/current_trigger": "fake-dev0",
      "scan_elements/in_accel_x_en": "1", "scan_elements/in_accel_y_en": "1", "scan_elements/in_accel_z_en": "1",
      "scan_elements/in_timestamp_en": "1", "scan_elements/in_anglvel_x_en": "0",
    ]
    for (name, value) in settings {
      #expect(fake.folder.read(name) == value, "\(name)")
    }
    #expect(buffer.format.scanSize == 16)
  }

  @Test func `it is switched off when it is let go`() throws {
    do { _ = try self.buffer() }
    #expect(fake.folder.read("buffer/enable") == "0")
  }

  @Test func `samples are in m/s² and bear the sensor's stamps`() throws {
    let buffer = try self.buffer()
    let now = Clock.boottime()
    fake.feed(x: 100, y: -200, at: now)
    fake.feed(z: .min, at: now + 10_000_000)
    let reading = try buffer.read()
    #expect(
      reading.samples == [
        AccelerationSample(time: now, x: 1, y: -2, z: 9.81),
        AccelerationSample(time: now + 10_000_000, x: 0, y: 0, z: -327.68),
      ])
    #expect(!reading.isCutOff)
    #expect(try buffer.read().samples.isEmpty)
  }

  @Test func `a sample of before it was switched on, and half a sample, are none`() throws {
    let buffer = try self.buffer()
    let now = Clock.boottime()
    fake.feed(at: now - 3_000_000_000)
    fake.feed(at: now)
    fake.feed([100, 0, 0, 0])
    #expect(try buffer.read().samples.map(\.time) == [now])
    fake.feed([0, 0, 0, 0] + Array(repeating: 0, count: 8))
    #expect(try buffer.read().samples.map(\.x) == [1])
  }

  @Test func `a flood is taken in pieces`() throws {
    let buffer = try self.buffer()
    for step in 0..<1000 { fake.feed(at: Clock.boottime() + Int64(step)) }
    let reading = try buffer.read()
    #expect(reading.isCutOff && reading.samples.count == 256)
  }

  @Test func `a buffer that another program uses is left alone`() throws {
    fake.set(["buffer/enable": "1", "buffer/length": "128"])
    #expect(throws: SensorError.held) { try self.buffer() }
    #expect(fake.folder.read("buffer/enable") == "1" && fake.folder.read("buffer/length") == "128")
  }

  @Test func `a buffer that this program left behind is taken again`() throws {
    fake.set(["buffer/enable": "1", "buffer/length": "250"])
    _ = try self.buffer()
  }

  @Test func `a kernel without a watermark is borne`() throws {
    fake.remove("buffer/watermark")
    #expect(try self.buffer().read().samples.isEmpty)
  }

  @Test func `on an old kernel samples are stamped when they are read`() throws {
    fake.remove("current_timestamp_clock")
    let buffer = try self.buffer()
    let before = Clock.boottime()
    fake.feed(at: 1_763_700_000_000_000_000)
    let time = try #require(try buffer.read().samples.first).time
    #expect((before...Clock.boottime()).contains(time))
  }

  static let senseless: [(attributes: [String: String], reason: String)] = [
    (["in_accel_scale": "0"], "its scale is \"0\", and what it measures is unknown without one"),
    (["in_accel_scale": "fast"], "its scale is \"fast\", and what it measures is unknown without one"),
    (["scan_elements/in_accel_y_type": "le:f16/16>>0"], "\"le:f16/16>>0\" is no way to lay out a value"),
    (["scan_elements/in_accel_y_index": "0"], "two of its channels have the same place"),
    (["scan_elements/in_accel_y_index": "?"], "it does not say how in_accel_y is laid out"),
  ]

  @Test(arguments: senseless) func `a driver that makes no sense is named with its fault`(
    attributes: [String: String], reason: String
  ) throws {
    fake.set(attributes)
    #expect(throws: SensorError.senseless(reason)) { try self.buffer() }
    #expect(fake.folder.read("buffer/enable") == "0")
  }

  @Test func `no scale at all, no buffer and no node are told apart`() throws {
    fake.remove("in_accel_scale")
    #expect(throws: SensorError.senseless("it states no scale, and what it measures is unknown without one")) {
      try self.buffer()
    }
    fake.set(["in_accel_scale": "0.01"])
    fake.remove("buffer/enable")
    for node in [fake.node, "/nowhere"] { #expect(throws: SensorError.unbuffered) { try buffer(node: node) } }
    fake.vanish()
    #expect(throws: SensorError.self) { try buffer() }
  }

  @Test func `where 100 Hz cannot be had, the nearest rate decides how much waits`() throws {
    fake.set(["in_accel_sampling_frequency_available": "[1 1 50]"])
    #expect(try self.buffer().plan.watermark == 2)
  }

  @Test func `the range is widened`() throws {
    // 12 bits of ±2, ±4 and ±8 g.
    fake.set(["in_accel_scale": "0.009582", "in_accel_scale_available": "0.009582 0.019163 0.038326"])
    for axis in "xyz" { fake.set(["scan_elements/in_accel_\(axis)_type": "le:s12/16>>4"]) }
    let buffer = try self.buffer()
    #expect(fake.folder.read("in_accel_scale") == "0.038326")
    withExtendedLifetime(buffer) {}
  }
}
