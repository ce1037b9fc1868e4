import Foundation
import Gestures
import Recordings
import TestKit

/// The recordings of real devices that the tests judge by.
enum Recording {
  /// What the project recorded itself, in its own folder.
  static let own = ["pedal", "presenter", "shutter"]

  /// Reads a file of the folder `Recordings`.
  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: Checkout.path("Tests/Unit/Values/Gestures/Recordings/\(name)"), encoding: .utf8)
  }

  /// Reads a recording and the device that it was made with: the one that it describes itself, else the one whose
  /// description bears the beginning of its name.
  static func load(
    _ name: String, device: DeviceDescription? = nil
  ) throws -> (device: DeviceDescription, frames: [Frame]) {
    let recording = try EvemuRecording(
      text(own.contains(name) ? "../../../../../Recordings/\(name).evemu" : "\(name).events"))
    if let device = device ?? recording.device { return (device, recording.frames) }
    let stem = ["ep0430m09", "isdv4-e6", "n-trig", "plantronics"].first { name.hasPrefix($0) } ?? name
    guard let device = try EvemuRecording(text("\(stem).desc")).device else { throw CocoaError(.fileReadCorruptFile) }
    return (device, recording.frames)
  }
}

/// What a device's frames give when they all come at once, and whatever waits is given in the end.
func gestures(of device: DeviceDescription, _ frames: [Frame], _ interests: [Interest] = []) -> [Gesture] {
  var recognizer = DeviceRecognizer(description: device, interests: interests)
  return frames.flatMap { recognizer.handle($0) } + recognizer.cancel()
}
