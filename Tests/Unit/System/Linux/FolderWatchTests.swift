import Glibc
import Linux
import TestKit
import Testing

struct FolderWatchTests {
  let loop: EventLoop
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }

  init() throws {
    loop = try EventLoop()
  }

  private func make(_ name: String) { close(open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600)) }

  @Test func `what comes, changes and goes is told by name`() throws {
    var seen: [FolderWatch.Change] = []
    let watch = try FolderWatch(
      loop: loop, path: folder, for: [.arrivals, .departures, .permissions]
    ) { seen += $0 }
    make("a-name-of-some-length")
    chmod("\(folder)/a-name-of-some-length", 0o644)
    unlink("\(folder)/a-name-of-some-length")
    rmdir(folder)
    _ = try loop.runOnce(waiting: 100_000)
    #expect(seen == Array(repeating: .entry("a-name-of-some-length"), count: 3) + [.folderGone])
    withExtendedLifetime(watch) {}
  }

  @Test func `only what was asked for is told`() throws {
    var seen: [FolderWatch.Change] = []
    let watch = try FolderWatch(loop: loop, path: folder, for: .departures) { seen += $0 }
    make("a")
    _ = try loop.runOnce(waiting: 1000)
    #expect(seen.isEmpty)
    unlink("\(folder)/a")
    _ = try loop.runOnce(waiting: 100_000)
    #expect(seen == [.entry("a")])
    withExtendedLifetime(watch) {}
    rmdir(folder)
  }

  @Test func `a folder that is not there cannot be watched`() throws {
    #expect(throws: SystemError("watch \(folder)/nowhere", code: ENOENT)) {
      try FolderWatch(loop: loop, path: "\(folder)/nowhere", for: .arrivals) { _ in }
    }
    rmdir(folder)
  }
}
