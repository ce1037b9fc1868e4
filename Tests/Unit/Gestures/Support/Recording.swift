import Gestures
import Glibc
import Recordings

/// The recordings of real devices that the tests judge by.
enum Recording {
  /// What the project recorded itself, in its own folder.
  static let own = ["pedal", "presenter", "shutter"]

  /// Reads a file of the folder `Recordings`.
  static func text(_ name: String) throws -> String {
    let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    guard let file = fopen("/\(folder)/Recordings/\(name)", "r") else { throw Missing(name: name) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a recording and the device that it was made with: the one that it describes itself, else the one whose
  /// description bears the beginning of its name.
  static func load(
    _ name: String, device: DeviceDescription? = nil
  ) throws -> (device: DeviceDescription, frames: [Frame]) {
    let recording = try EvemuRecording(
      text(own.contains(name) ? "../../../../Recordings/\(name).evemu" : "\(name).events"))
    if let device = device ?? recording.device { return (device, recording.frames) }
    let stem = ["alps-glidepoint", "isdv4-e6", "n-trig", "plantronics"].first { name.hasPrefix($0) } ?? name
    guard let device = try EvemuRecording(text("\(stem).desc")).device else { throw Missing(name: "\(stem).desc") }
    return (device, recording.frames)
  }

  struct Missing: Error {
    let name: String
  }
}

/// What a device's frames give when they all come at once, and whatever waits is given in the end.
func gestures(of device: DeviceDescription, _ frames: [Frame], _ interests: [Interest] = []) -> [Gesture] {
  var recognizer = DeviceRecognizer(description: device, interests: interests)
  return frames.flatMap { recognizer.handle($0) } + recognizer.cancel()
}
