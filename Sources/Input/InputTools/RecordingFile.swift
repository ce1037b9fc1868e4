import Gestures
import Glibc
import Linux
import Recordings

/// Recordings and descriptions of devices in files.
enum RecordingFile {
  /// The maximum size of a file in bytes: days of reports of ten fingers.
  private static let sizeLimit = 1 << 30

  /// Reads a recording in the format of evemu or libinput.
  /// Returns the reports of each device; a file in evemu's format has one.
  static func read(_ path: String) throws -> [(device: DeviceDescription?, frames: [Frame])] {
    let text = try content(path)
    if LibinputRecording.isOne(text) {
      do throws(LibinputRecording.Problem) {
        let recording = try LibinputRecording(text)
        return recording.devices.map { ($0.device, $0.frames) }
      } catch {
        throw RecordingError("\(path): \(error).")
      }
    }
    do throws(EvemuRecording.Problem) {
      let recording = try EvemuRecording(text)
      return [(recording.device, recording.frames)]
    } catch {
      let isLast = error.line == text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
      throw RecordingError(
        isLast && text.last?.isNewline == false
          ? "\(path) is cut off in its last line, line \(error.line)." : "\(path): \(error).")
    }
  }

  /// Reads a recording of an accelerometer.
  static func acceleration(_ path: String) throws -> AccelerationRecording {
    let text = try content(path)
    do throws(AccelerationRecording.Problem) {
      return try AccelerationRecording(text)
    } catch {
      throw RecordingError("\(path), \(error).")
    }
  }

  /// The description for a recording without one.
  static func device(_ named: String?, beside path: String) throws -> DeviceDescription {
    let file = try named ?? description(beside: path)
    guard let device = try read(file).first?.device else {
      throw RecordingError("\(file) describes no device (it has no line that begins with “N:”).")
    }
    return device
  }

  /// The description beside a recording: for `touch-1.events` the file `touch-1.desc`, or else the file such as
  /// `touch.desc` whose name is the beginning of the recording's.
  private static func description(beside path: String) throws(RecordingError) -> String {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let exact = "\(folder)\(stem).desc"
    if access(exact, F_OK) == 0 { return exact }
    let near = FolderContent.names(in: folder.isEmpty ? "." : folder).filter { entry in
      entry.hasSuffix(".desc") && stem.hasPrefix("\(entry.dropLast(5))-")
    }
    guard let longest = near.max(by: { $0.utf8.count < $1.utf8.count }) else {
      throw RecordingError(
        "\(path) does not describe its device, and there is no \(exact) beside it: name one with --device FILE.desc.")
    }
    return folder + longest
  }

  private static func content(_ path: String) throws -> String {
    let bytes = try FileContent.read(path, upTo: sizeLimit)
    guard bytes.count <= sizeLimit else { throw RecordingError("\(path) is larger than a recording can be (1 GiB).") }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw RecordingError("\(path) is no recording: it is not text.")
    }
    return text
  }
}

/// The reason why there is nothing to replay; a sentence for the user.
public struct RecordingError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
