import Foundation

/// A folder of one test, removed with all its contents when the last reference goes.
public final class TemporaryFolder: Sendable {
  /// Short enough for sockets in it.
  public let path: String

  public init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("tallymark-\(UUID())").path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } catch {
      fatalError("No test can run without a temporary folder: \(error)")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of an entry.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }
}
