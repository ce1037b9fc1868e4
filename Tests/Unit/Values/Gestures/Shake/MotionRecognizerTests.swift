import Gestures
import Motion
import Randomness
import Testing

/// Accelerometers that are event nodes.
@Suite struct MotionRecognizerTests {
  /// 1 g is 4096 units on the axes of a Joy-Con.
  private static let joyCon = DeviceDescription(
    name: "Joy-Con IMU", properties: [6], codes: [3: [0, 1, 2, 3, 4, 5]],
    axes: Dictionary(
      uniqueKeysWithValues: (0..<3).map { ($0, .init(minimum: -32767, maximum: 32767, resolution: 4096)) }))

  /// What the kernel reports of a scene: only axes that have changed, as event nodes do.
  private static func frames(
    of samples: [AccelerationSample] = samples(), axes: [UInt16] = [0, 1, 2], unitsPerGravity: Double = 4096
  ) -> [Frame] {
    var last: [UInt16: Int32] = [:]
    return samples.compactMap { sample in
      let values = [sample.x, sample.y, sample.z].map { Int32(($0 / 9.80665 * unitsPerGravity).rounded()) }
      let events = zip(axes, values).filter { last[$0] != $1 }.map { InputEvent(type: 3, code: $0, value: $1) }
      for event in events { last[event.code] = event.value }
      return events.isEmpty ? nil : Frame(time: sample.time, events: events)
    }
  }

  private static func shakes(_ frames: [Frame], _ device: DeviceDescription = joyCon) -> [Gesture] {
    var recognizer = DeviceRecognizer(description: device)
    return frames.flatMap { recognizer.handle($0) }
  }

  /// One shake by a firm hand, after some seconds at rest.
  private static func samples(noise: Double = 0.05) -> [AccelerationSample] {
    var device = SeededRandom(seed: 5)
    var samples: [AccelerationSample] = []
    for step in 0..<900 {
      let time = Double(step) * 0.01
      let isShaken = (5.0..<6.0).contains(time)
      let swing = isShaken ? 22 * ShakingDevice.triangle(time * 4) : 0
      let tremble = { noise > 0 ? device.number(-noise...noise) : 0 }
      samples.append(
        AccelerationSample(
          time: 1_000_000_000 + Int64(step) * 10_000_000, x: swing + tremble(), y: tremble(), z: 9.80665 + tremble()))
    }
    return samples
  }

  @Test func `a shake of a controller counts once, at the stamp of its own report`() throws {
    let frames = Self.frames()
    let shakes = Self.shakes(frames)
    #expect(shakes.map(\.kind) == [.shake])
    let time = try #require(shakes.first).time
    #expect((6_000_000_000...7_300_000_000).contains(time) && frames.contains { $0.time == time })
  }

  @Test func `a device that keeps silent while it lies still is shaken all the same`() {
    let frames = Self.frames(of: Self.samples(noise: 0))
    #expect(frames.count < 150)
    #expect(Self.shakes(frames).map(\.kind) == [.shake])
  }

  @Test func `a Wii Remote has other axes and states no scale`() {
    let remote = DeviceDescription(name: "Nintendo Wii Remote Accelerometer", codes: [3: [3, 4, 5]])
    let frames = Self.frames(axes: [3, 4, 5], unitsPerGravity: 100)
    #expect(Self.shakes(frames, remote).map(\.kind) == [.shake])
  }

  @Test func `a scale that is ten times off is put right, and how much is told`() {
    for (units, factor) in [(40960.0, 0.1), (409.6, 10)] {
      let frames = Self.frames(unitsPerGravity: units)
      var recognizer = DeviceRecognizer(description: Self.joyCon)
      #expect(frames.flatMap { recognizer.handle($0) }.map(\.kind) == [.shake])
      #expect(abs(recognizer.gravityFactor / factor - 1) < 0.02)
    }
  }

  @Test func `the axes of a joystick are nobody's shake`() {
    #expect(Self.shakes(Self.frames(), Self.joyCon.with { $0.properties = [] }).isEmpty)
  }

  @Test func `what the kernel dropped ends a shake that had begun`() {
    var frames = Self.frames()
    // Every stroke is cut off by a loss.
    frames = frames.enumerated().map { index, frame in
      Frame(time: frame.time, events: frame.events, isResync: index % 9 == 0)
    }
    #expect(Self.shakes(frames).isEmpty)
  }

  @Test func `a report from long after, or from before, is borne`() {
    var recognizer = DeviceRecognizer(description: Self.joyCon)
    for time in [0, .max, .min, 5, .max - 1] as [Int64] {
      let events = (0..<3).map { InputEvent(type: 3, code: $0, value: time > 0 ? .max : .min) }
      #expect(recognizer.handle(Frame(time: time, events: events)).isEmpty)
    }
  }
}
