/// Turns the frames of an accelerometer that is an event node into samples.
public struct AccelerationFrames: Sendable {
  /// An event node tells what has changed, and so nothing while it lies still: after a longer silence than this, in
  /// nanoseconds, what was there is taken to have stayed.
  private static let silence: Int64 = 60_000_000
  /// For so long at most, and a sample every so often.
  private static let held: Int64 = 3_000_000_000
  private static let heldStep: Int64 = 50_000_000
  /// The last of them comes so long before the change.
  private static let lead: Int64 = 10_000_000

  private struct Axis {
    let code: UInt16
    /// In m/s² a unit.
    let scale: Double
    var value: Double = 0
  }

  private var axes: [Axis]
  private var last: Int64?

  /// Nil where the device is no such accelerometer.
  public init?(_ device: DeviceDescription) {
    guard device.isAccelerometer, !device.isSensor else { return nil }
    axes = device.accelerationAxes.map { code in
      Axis(code: code, scale: GravityScale.gravity / device.unitsPerGravity(code))
    }
  }

  /// What was felt since the frame before, up to this one. A frame with `isResync` set says how things stand and is felt
  /// by nobody.
  public mutating func samples(_ frame: Frame) -> [AccelerationSample] {
    var samples = frame.isResync ? [] : heldSamples(until: frame.time)
    var isNews = false
    for event in frame.events where event.type == EventCode.absolute {
      guard let index = axes.firstIndex(where: { $0.code == event.code }) else { continue }
      axes[index].value = Double(event.value) * axes[index].scale
      isNews = true
    }
    guard isNews else { return samples }
    if !frame.isResync { samples.append(sample(at: frame.time)) }
    last = frame.time
    return samples
  }

  /// What was there before has nothing to do with what comes.
  mutating func cancel() { last = nil }

  private func heldSamples(until time: Int64) -> [AccelerationSample] {
    guard let last, let pause = time.elapsed(since: last), pause > Self.silence else { return [] }
    let end = time - Self.lead
    let first = max(last.later(by: Self.heldStep), end - Self.held)
    return (stride(from: first, to: end, by: Int(Self.heldStep)) + [end]).map { sample(at: $0) }
  }

  private func sample(at time: Int64) -> AccelerationSample {
    AccelerationSample(time: time, x: axes[0].value, y: axes[1].value, z: axes[2].value)
  }
}
