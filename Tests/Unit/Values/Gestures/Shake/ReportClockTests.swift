import Gestures
import Motion
import Randomness
import Testing

/// Accelerometers that are event nodes and send several samples in one report, each with the device's own stamp.
@Suite struct ReportClockTests {
  /// A Joy-Con: a report of three samples every 15 ms, which the kernel stamps 10 µs apart.
  private struct JoyCon {
    /// In microseconds.
    var counter: UInt32
    /// What the device's clock counts in a true second, as a part of it.
    let speed: Double
    private(set) var frames: [Frame] = []
    private var count = 0

    init(counter: UInt32 = 0, speed: Double = 1) {
      self.counter = counter
      self.speed = speed
    }

    static let description = DeviceDescription(
      name: "Joy-Con IMU", properties: [6], codes: [3: [0, 1, 2], 4: [5]],
      axes: Dictionary(
        uniqueKeysWithValues: (0..<3).map { ($0, .init(minimum: -32767, maximum: 32767, resolution: 4096)) }))

    /// - Parameter stamp: replaces the stamp of the device's clock.
    mutating func report(_ forces: [Vector], stamp: ((Int) -> UInt32)? = nil) {
      let start = 1_000_000_000 + Int64(count / 3) * 15_000_000
      for (index, force) in forces.enumerated() {
        let values = [force.x, force.y, force.z].map { Int32(($0 / 9.80665 * 4096).rounded()) }
        let stamp = stamp?(count) ?? counter
        frames.append(
          Frame(
            time: start + Int64(index) * 10_000,
            events: [InputEvent(type: 4, code: 5, value: Int32(bitPattern: stamp))]
              + values.enumerated().map { InputEvent(type: 3, code: UInt16($0), value: $1) }))
        counter &+= UInt32(5000 * speed)
        count += 1
      }
    }

    mutating func lie(reports: Int, stamp: ((Int) -> UInt32)? = nil) {
      for _ in 0..<reports { report(Array(repeating: Vector(0, 0, 9.80665), count: 3), stamp: stamp) }
    }

    /// When each sample was measured, in nanoseconds.
    func uncheckedTimes() throws -> [Int64] {
      var samples = try #require(AccelerationFrames(Self.description))
      return frames.flatMap { samples.samples($0).map(\.time) }
    }

    /// Likewise. Checks that no time is later than the kernel's stamp, 100 ms earlier, or earlier than the time before.
    func times(_ location: SourceLocation = #_sourceLocation) throws -> [Int64] {
      let times = try uncheckedTimes()
      let delays = zip(times, frames).map { $1.time - $0 }
      #expect(times.count == frames.count, sourceLocation: location)
      #expect(delays.min() ?? 0 >= 0 && delays.max() ?? 0 <= 100_000_000, sourceLocation: location)
      #expect(zip(times, times.dropFirst()).map { $1 - $0 }.min() ?? 0 >= 0, sourceLocation: location)
      return times
    }
  }

  private static func gaps(_ times: some Sequence<Int64>) -> [Double] {
    zip(times, times.dropFirst()).map { Double($1 - $0) / 1e6 }
  }

  @Test func `the samples of a report are as far apart as the device says`() throws {
    var device = JoyCon()
    device.lie(reports: 100)
    let times = try device.times()
    #expect(Self.gaps(times.dropFirst(3)).allSatisfy { (3.5...6).contains($0) })
    // The last sample of each report is as old as the report.
    #expect(zip(times, device.frames).allSatisfy { $1.time - $0 < 11_500_000 })
  }

  @Test func `the device's clock may wrap`() throws {
    var (one, other) = (JoyCon(), JoyCon(counter: .max - 700_000))
    one.lie(reports: 100)
    other.lie(reports: 100)
    #expect(try one.times() == other.times())
  }

  @Test(arguments: [0.93, 0.99, 1.01, 1.07]) func `the device's clock may be slow or fast`(speed: Double) throws {
    var device = JoyCon(speed: speed)
    device.lie(reports: 4000)
    let times = try device.times()
    #expect(Self.gaps(times.dropFirst(3)).allSatisfy { (2.5...6.5).contains($0) })
    #expect(zip(times, device.frames).allSatisfy { $1.time - $0 < 15_000_000 })
  }

  @Test func `the device's clock may start again`() throws {
    var device = JoyCon(counter: 3_000_000_000)
    device.lie(reports: 100)
    device.counter = 17
    device.lie(reports: 100)
    // As after a loss of so many stamps.
    device.counter &-= 3_000_000
    device.lie(reports: 100)
    let times = try device.times()
    #expect(Self.gaps(times.suffix(200)).allSatisfy { (3.5...6).contains($0) })
  }

  @Test func `a device whose clock stands still is felt at the kernel's pace, and later by its own again`() throws {
    var device = JoyCon()
    device.lie(reports: 50) { _ in 5 }
    device.counter = 5
    device.lie(reports: 200)
    let times = try device.times()
    #expect(times[149] - times[119] == 150_000_000)
    #expect(Self.gaps(times.suffix(60)).allSatisfy { (3.5...6).contains($0) })
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func `no stamp of a hostile device moves a sample far`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let stamps = (0..<3000).map { _ in [0, .max, 1 << 31, 5000, UInt32.random(in: 0 ... .max, using: &random)] }
      .map { $0[Int.random(in: 0..<5, using: &random)] }
    var device = JoyCon()
    device.lie(reports: 1000) { stamps[$0] }
    let times = try device.uncheckedTimes()
    #expect(zip(times, times.dropFirst()).map { $1 - $0 }.min() ?? 0 >= 0)
    #expect(times.last ?? 0 >= (device.frames.last?.time ?? 0) - 100_000_000)
    // A jump of the clock is taken for a silence, which two samples fill.
    #expect(times.count < 2 * device.frames.count)
  }

  @Test func `neither does the end of the kernel's time`() throws {
    var samples = try #require(AccelerationFrames(JoyCon.description))
    for time in [.min, .min + 61_000_000, 0, .max, .max, .min, .min + 1] as [Int64] {
      let events = [InputEvent(type: 4, code: 5, value: -1), InputEvent(type: 3, code: 0, value: Int32.min)]
      #expect(samples.samples(Frame(time: time, events: events)).allSatisfy { $0.time <= time })
    }
  }

  @Test func `a quick shake of a device that reports three samples at once counts once`() {
    var device = JoyCon()
    device.lie(reports: 100)
    var step = 0
    for _ in 0..<60 {
      let forces = (0..<3).map { index in
        // Strokes 45 ms apart.
        Vector((step + index) / 9 % 2 == 0 ? 18 : -18, 0, 9.80665)
      }
      step += 3
      device.report(forces)
    }
    device.lie(reports: 100)
    var recognizer = DeviceRecognizer(description: JoyCon.description)
    #expect(device.frames.flatMap { recognizer.handle($0) }.map(\.kind) == [.shake])
  }
}
