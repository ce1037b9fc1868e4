public import Gestures

/// A recording of an accelerometer as text: `t_seconds,x,y,z` in the first line, then one sample a line, in seconds and
/// m/s² with gravity.
public struct AccelerationRecording: Equatable, Sendable {
  /// The samples in the order of the file, with the file's times in nanoseconds.
  public let samples: [AccelerationSample]

  /// A line that is not in the format.
  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int
    public let reason: String

    public var description: String { "line \(line): \(reason)" }
  }

  /// The first line.
  public static let header = "t_seconds,x,y,z"

  /// The latest valid time, a hundred years, in seconds.
  private static let latest = 3_155_760_000.0

  public init(_ text: String) throws(Problem) {
    var samples: [AccelerationSample] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      if number == 1 {
        guard line == Self.header else {
          throw Problem(line: 1, reason: "the first line must be \"\(Self.header)\"")
        }
      } else if !line.isEmpty {
        samples.append(try Self.sample(line, number))
      }
    }
    guard !samples.isEmpty else { throw Problem(line: max(1, number), reason: "there is no sample in it") }
    self.samples = samples
  }

  /// The line of a recording for a sample.
  public static func line(for sample: AccelerationSample) -> String {
    "\(Double(sample.time) * 1e-9),\(sample.x),\(sample.y),\(sample.z)"
  }

  /// The shakes that the daemon would have counted. If the sensor stated a wrong scale, the samples are corrected
  /// first.
  public func shakes(_ parameters: ShakeParameters = .firm) -> [Shake] {
    var scale = GravityScale()
    var recognizer = ShakeRecognizer(parameters: parameters)
    return (samples + afterwards).compactMap { sample in
      let scaled = scale.scaled(sample) { recognizer.cancel() }
      return recognizer.handle(scaled)
    }
  }

  /// Repetitions of the last sample. The recogniser judges a sample by later ones, so the end of a recording needs
  /// them.
  private var afterwards: [AccelerationSample] {
    guard let last = samples.last else { return [] }
    return (1...Self.lookahead).map { AccelerationSample(time: last.time + Int64($0) * 10_000_000, last.vector) }
  }

  /// The number of repetitions, 0.01 s apart.
  private static let lookahead = 6

  private static func sample(_ line: Substring, _ number: Int) throws(Problem) -> AccelerationSample {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 4 else {
      throw Problem(line: number, reason: "there are \(fields.count) fields where a time, x, y and z are needed")
    }
    var values = (0.0, 0.0, 0.0, 0.0)
    values.0 = try value(fields[0], number)
    values.1 = try value(fields[1], number)
    values.2 = try value(fields[2], number)
    values.3 = try value(fields[3], number)
    guard abs(values.0) <= latest else {
      throw Problem(line: number, reason: "\(fields[0]) seconds is no time of a recording")
    }
    return AccelerationSample(
      time: Int64((values.0 * 1e9).rounded()), x: values.1, y: values.2, z: values.3)
  }

  private static func value(_ field: Substring, _ number: Int) throws(Problem) -> Double {
    guard let value = Double(field), value.isFinite else {
      throw Problem(line: number, reason: "\"\(field.prefix(40))\" is no number")
    }
    return value
  }
}
