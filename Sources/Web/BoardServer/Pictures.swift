import Board
import Glibc
import Linux
import Text

/// The pictures that people have chosen as icons. Used by the thread of the server's loop only.
final class Pictures {
  /// The folder that keeps them, each in a file with its name.
  private let folder: String?
  /// Without a folder, they are kept as long as this process runs.
  private var unkept: [Picture] = []

  private static let most = 256

  init(folder: String?) { self.folder = folder }

  subscript(name: String) -> Picture? {
    guard let folder else { return unkept.first { $0.name == name } }
    let bytes = try? FileContent.read("\(folder)/\(name)", upTo: Picture.longest)
    // A damaged file has another name.
    return bytes.flatMap(Picture.init).flatMap { $0.name == name ? $0 : nil }
  }

  /// Keeps a picture, and returns the response. Above the maximum number, removes the one that was kept
  /// first of those that no icon shows.
  ///
  /// - Parameter icons: the icons that are shown now; `nil` if they are unknown.
  func keep(_ bytes: [UInt8], icons: Set<String>?) -> Routes.Content {
    guard let picture = Picture(bytes) else { return .badPicture }
    let names = names()
    if !names.contains(picture.name), names.count >= Self.most {
      guard let icons else { return .noCore }
      guard let unused = names.first(where: { !icons.contains(String.pictureSign + $0) }) else {
        return .tooManyPictures
      }
      remove(unused)
    }
    guard let folder else {
      unkept.removeAll { $0.name == picture.name }
      unkept.append(picture)
      return .kept(picture)
    }
    do throws(SystemError) {
      try FileContent.replace("\(folder)/\(picture.name)", with: bytes, mode: 0o600)
      return .kept(picture)
    } catch {
      ServiceProcess.log(.error, "A picture could not be kept: \(error).")
      return .pictureNotKept
    }
  }

  /// The names of the pictures; the one that was kept last is the last.
  private func names() -> [String] {
    guard let folder else { return unkept.map(\.name) }
    return FolderContent.names(in: folder).map { name in
      var status = stat()
      unsafe stat("\(folder)/\(name)", &status)
      return (name, time: (status.st_mtim.tv_sec, status.st_mtim.tv_nsec))
    }.sorted { $0.time < $1.time }.map(\.0)
  }

  private func remove(_ name: String) {
    unkept.removeAll { $0.name == name }
    if let folder { unlink("\(folder)/\(name)") }
  }
}
