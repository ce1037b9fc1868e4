import Gestures
import Motion
import Randomness
import Recordings
import Testing

@Suite struct AccelerationRecordingTests {
  @Test func `a recording is its samples`() throws {
    let recording = try AccelerationRecording("t_seconds,x,y,z\r\n0.5,1,-2.25,9.8\r\n\n0.51,1e0,0,0\n")
    #expect(
      recording.samples == [
        AccelerationSample(time: 500_000_000, x: 1, y: -2.25, z: 9.8),
        AccelerationSample(time: 510_000_000, x: 1, y: 0, z: 0),
      ])
  }

  @Test func `what is written can be read`() throws {
    let sample = AccelerationSample(time: 12_345_678_901_234, x: -0.125, y: 1e-9, z: 19.6133)
    let text = [AccelerationRecording.header, AccelerationRecording.line(for: sample)].joined(separator: "\n")
    #expect(try AccelerationRecording(text).samples == [sample])
  }

  @Test(arguments: [25.0, 50, 100]) func `a recording that ends with the shake has it`(rate: Double) throws {
    let recording = try AccelerationRecording(Self.shaken(rate: rate, scale: 1))
    #expect(recording.shakes().count == 1)
    #expect(try #require(recording.samples.last).time >= (try #require(recording.shakes().first).time) - 60_000_000)
  }

  @Test func `a recording of a sensor with a wrong scale counts as the sensor did`() throws {
    for scale in [0.1, 10] {
      #expect(try AccelerationRecording(Self.shaken(rate: 100, scale: scale)).shakes().count == 1, "\(scale)")
    }
  }

  /// Three seconds of rest, and a shake that nothing follows.
  private static func shaken(rate: Double, scale: Double) -> String {
    var scene = Motion.Scene(duration: 6, random: SeededRandom(seed: 4))
    let end = scene.shake(ShakingHand(frequency: 4, strength: 30, swings: 3), at: 3)
    var sensor = Sensor()
    (sensor.rate, sensor.scale, sensor.range, sensor.noise) = (rate, scale, 1000, 0.005)
    let samples = sensor.samples(of: scene).prefix(Int((end - 0.02) * rate))
    return ([AccelerationRecording.header] + samples.map(AccelerationRecording.line)).joined(separator: "\n")
  }

  @Test(arguments: [
    ("", 1, "the first line must be \"t_seconds,x,y,z\""),
    ("0,1,2,3", 1, "the first line must be \"t_seconds,x,y,z\""),
    ("t_seconds,x,y,z\n", 2, "there is no sample in it"),
    ("t_seconds,x,y,z\n0,1,2,3\n0.1,1,2", 3, "there are 3 fields where a time, x, y and z are needed"),
    ("t_seconds,x,y,z\n0,1,two,3", 2, "\"two\" is no number"),
    ("t_seconds,x,y,z\n0,1,nan,3", 2, "\"nan\" is no number"),
    ("t_seconds,x,y,z\n0,1,,3", 2, "\"\" is no number"),
    ("t_seconds,x,y,z\n1e30,1,2,3", 2, "1e30 seconds is no time of a recording"),
  ]) func `a line that makes no sense is named`(text: String, line: Int, reason: String) {
    let problem = #expect(throws: AccelerationRecording.Problem.self) { try AccelerationRecording(text) }
    #expect(problem?.description == "line \(line): \(reason)")
  }
}
