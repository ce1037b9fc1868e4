import Glibc

/// Tells when a file comes, goes, or has other content, however that is brought about: written in place, renamed over
/// by an editor, reached through links that are changed, in a folder that does not exist yet.
///
/// Only says that it is worth looking; the handler looks for itself.
@safe
public final class FileWatch {
  private let loop: EventLoop
  private let paths: [String]
  private let handler: () -> Void
  private var folders: [FolderWatch] = []
  private var settle: TimerSource?
  private var lookAgain: DeferredSource?
  /// Time of the first change that was not reported yet.
  private(set) var since: Int64?

  /// Editors that keep the former file move it away first: for a moment there is none. So long is waited after the
  /// last change, in nanoseconds; but not longer than `patience` after the first.
  private static let quiet: Int64 = 50_000_000
  private static let patience: Int64 = 500_000_000
  /// As many as the kernel follows.
  private static let mostLinks = 40

  /// Watches the files at `paths`, whether they exist or not, until this object is let go.
  public init(loop: EventLoop, paths: [String], _ handler: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    self.paths = paths
    self.handler = handler
    settle = try loop.timer { [unowned self] in
      since = nil
      self.handler()
    }
    // Not in the handler of a watch that this would let go of.
    lookAgain = try loop.deferred { [unowned self] in watch() }
    watch()
  }

  /// Watches anew: where the links lead, and how far the folders go, may be another matter now.
  private func watch() {
    var names: [String: Set<String>] = [:]
    for path in paths {
      for (folder, name) in Self.steps(to: path) {
        names[folder, default: []].formUnion(name.map { [$0] } ?? [])
      }
    }
    folders = names.compactMap { folder, names in
      // What may not be watched (another person's folder, say) is looked at when asked for.
      let interest: FolderWatch.Interest = names.isEmpty ? [] : [.arrivals, .departures, .contents, .permissions]
      return try? FolderWatch(loop: loop, path: folder, for: interest) {
        [unowned self] changes in
        let isOurs = changes.contains { change in
          if case .entry(let name) = change { names.contains(name) } else { true }
        }
        if isOurs { changed() }
      }
    }
  }

  private func changed() {
    let now = Clock.boottime()
    let first = since ?? now
    since = first
    lookAgain?.schedule()
    settle?.arm(at: min(now + Self.quiet, first + Self.patience))
  }

  /// The folders, each with the entry in it, on which it depends what is found at `path`: every link on the way, and
  /// the file itself or the first folder that is missing. Of a folder without an entry it only matters that it stays.
  package static func steps(to path: String) -> [(folder: String, name: String?)] {
    var steps: [(folder: String, name: String?)] = []
    var folder = path.hasPrefix("/") ? "/" : "."
    var rest = components(path)
    var links = 0
    while !rest.isEmpty {
      let name = rest.removeFirst()
      let full = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      if let target = link(at: full) {
        steps.append((folder, name))
        links += 1
        guard links <= mostLinks else { return steps }
        rest = components(target) + rest
        if target.hasPrefix("/") { folder = "/" }
      } else if unsafe rest.isEmpty || access(full, F_OK) != 0 {
        steps.append((folder, name))
        return steps
      } else {
        folder = full
        steps.append((folder, nil))
      }
    }
    return steps
  }

  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }
  }

  /// Where the symbolic link at `path` leads; `nil` where none is.
  private static func link(at path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
