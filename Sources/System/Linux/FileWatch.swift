import Glibc

/// Reports that a file may have been created, removed or changed: written in place, replaced by an editor, reached
/// through other links, or in a folder that did not exist before.
///
/// The handler must read the file to see whether it changed.
@safe
public final class FileWatch {
  private let loop: EventLoop
  private let paths: [String]
  private let handler: () -> Void
  private var folders: [FolderWatch] = []
  private var debounce: TimerSource?
  private var lookAgain: DeferredSource?
  /// The time of the first change that was not reported yet.
  private(set) var since: Int64?

  /// The time from the last change to the report, in nanoseconds. An editor that keeps a backup renames the file first,
  /// so the file is missing for a moment.
  private static let quiet: Int64 = 50_000_000
  /// The maximum time from the first change to the report, in nanoseconds.
  private static let patience: Int64 = 500_000_000
  /// The kernel's limit of symbolic links in a path.
  private static let mostLinks = 40

  /// Watches the files at `paths`, which need not exist, as long as this object lives.
  public init(loop: EventLoop, paths: [String], _ handler: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    self.paths = paths
    self.handler = handler
    debounce = try loop.timer { [unowned self] in
      since = nil
      self.handler()
    }
    // Deferred: `watch` deallocates the watches, one of which may be running its handler.
    lookAgain = try loop.deferred { [unowned self] in watch() }
    watch()
  }

  /// Replaces all watches, as links and folders may have changed.
  private func watch() {
    var names: [String: Set<String>] = [:]
    for path in paths {
      for (folder, name) in Self.steps(to: path) {
        names[folder, default: []].formUnion(name.map { [$0] } ?? [])
      }
    }
    folders = names.compactMap { folder, names in
      // A folder without permission is not watched.
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
    debounce?.arm(at: min(now + Self.quiet, first + Self.patience))
  }

  /// The folders and entries on which the file at `path` depends: every symbolic link, and the file itself or the first
  /// missing folder. A folder without an entry is watched only for its own removal.
  package static func steps(to path: String) -> [(folder: String, name: String?)] {
    var steps: [(folder: String, name: String?)] = []
    var folder = path.hasPrefix("/") ? "/" : "."
    var rest = components(path)
    var links = 0
    while !rest.isEmpty {
      let name = rest.removeFirst()
      let full = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      if let target = SymbolicLink.target(full) {
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
}
