import FakeSensor
import Gestures
import InputDevices
import Linux
import TestKit
import Testing

/// A sensor on a loop, by its buffer or value by value.
@Suite struct MotionSensorTests {
  /// A sensor and what came of it.
  private final class Listener {
    let loop: EventLoop
    var sensor: MotionSensor?
    var samples: [AccelerationSample] = []
    var ends: [SensorError] = []

    init(_ fake: FakeSensor, patience: Int64 = 1) throws {
      loop = try EventLoop()
      sensor = try MotionSensor(
        loop: loop, folder: fake.folder, node: fake.node, patience: patience,
        onSamples: { [unowned self] in samples += $0 }, onEnd: { [unowned self] in ends.append($0) })
    }

    /// Runs the loop until something is so.
    func run(file: StaticString = #fileID, line: Int = #line, until condition: (Listener) -> Bool) throws {
      try Wait.until("the condition of this line", turning: loop, file: file, line: line) { condition(self) }
    }
  }

  @Test func `samples of the buffer arrive`() throws {
    let fake = try FakeSensor()
    let listener = try Listener(fake)
    #expect(listener.sensor?.mode == .buffered)
    fake.feed(at: Clock.boottime())
    try listener.run { $0.samples.count == 1 }
  }

  @Test(arguments: [.switchedOff, .silent, .gone] as [SensorError])
  func `a sensor that another program switched off, that says nothing or is gone is noticed`(end: SensorError) throws {
    let fake = try FakeSensor()
    let listener = try Listener(fake)
    if end == .switchedOff { fake.set(["buffer/enable": "0"]) }
    if end == .gone { fake.vanish() }
    try listener.run { !$0.ends.isEmpty }
    #expect(listener.ends == [end])
  }

  @Test func `a sensor whose buffer another program uses is asked for its values`() throws {
    let fake = try FakeSensor()
    fake.set(["buffer/enable": "1", "in_accel_x_raw": "-250"])
    let listener = try Listener(fake)
    #expect(listener.sensor?.mode == .polled(.held))
    try listener.run { $0.samples.count >= 4 }
    #expect(listener.samples.allSatisfy { $0.x == -2.5 && $0.y == 0 && $0.z == 9.81 })
    #expect(zip(listener.samples, listener.samples.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  @Test func `values that are none end the asking, with their reason`() throws {
    let fake = try FakeSensor()
    fake.set(["buffer/enable": "1", "in_accel_z_raw": "nan\n"])
    let listener = try Listener(fake)
    try listener.run { !$0.ends.isEmpty }
    #expect(listener.ends == [.senseless("\"nan\n\" is no reading")])
    #expect(listener.samples.isEmpty)
  }

  @Test func `a sensor without values cannot be asked for them`() throws {
    let fake = try FakeSensor()
    fake.set(["buffer/enable": "1"])
    fake.remove("in_accel_y_raw")
    #expect(throws: SensorError.self) { try Listener(fake) }
  }
}
