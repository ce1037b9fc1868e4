package import Gestures
internal import Glibc
import Recordings

/// The recordings of real devices that the project carries, in `Recordings/accelerometer`.
package struct RecordingFolder: Sendable {
  package struct Entry: Sendable {
    /// The file's path in the folder.
    package let file: String
    package let label: String
    /// Whether the device is shaken in it: yes, on and on; no; or nil where that is a matter of opinion.
    package let isShaken: Bool?
    /// How many shakes there are in it; nil where that is not known, and at least one.
    package let shakes: Int?
    package let samples: [AccelerationSample]

    /// The folder that the file lies in: one source of recordings.
    package var source: String { file.split(separator: "/").first.map(String.init) ?? file }

    /// Whether it is among the recordings by which parameters may be chosen; the others only say how well that was done.
    /// Nobody and nothing is in both.
    package var isForChoosing: Bool { Self.choosing.contains { file.hasPrefix($0) } }

    private static let choosing = ["nano/", "oxford/val_user1", "oxford/opt_Pixel", "st/asset", "st/door", "st/tennis"]

    /// In seconds.
    package var duration: Double {
      guard let first = samples.first, let last = samples.last else { return 0 }
      return Double(last.time - first.time) * 1e-9
    }
  }

  /// Why the recordings cannot be read.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  package let entries: [Entry]

  package init(_ folder: String) throws {
    let index = try Self.text(folder + "/index.csv")
    let lines = index.split(whereSeparator: \.isNewline)
    let counts = lines.first?.split(separator: ",").firstIndex(of: "expected_count")
    entries = try lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count >= 3 else { throw Problem(description: "\(folder)/index.csv makes no sense: \(line)") }
      let file = String(fields[0])
      do {
        let recording = try AccelerationRecording(Self.text(folder + "/" + file))
        let isShaken: Bool? = fields[2] == "positive" ? true : fields[2] == "negative" ? false : nil
        let shakes = counts.flatMap { fields.indices.contains($0) ? Int(fields[$0]) : nil }
        return Entry(
          file: file, label: String(fields[1]), isShaken: isShaken, shakes: shakes, samples: recording.samples)
      } catch let problem as AccelerationRecording.Problem {
        throw Problem(description: "\(folder)/\(file): \(problem)")
      }
    }
  }

  private static func text(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw Problem(description: "\(path) cannot be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
