import Glibc
import TestKit
import Testing

@testable import Linux

@Suite(.timeLimit(.minutes(5)))
struct FileWatchTests {
  let loop: EventLoop
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }

  final class Count { var notices = 0 }
  let count = Count()

  init() throws {
    loop = try EventLoop()
  }

  private func watch(_ name: String) throws -> FileWatch {
    try FileWatch(loop: loop, paths: ["\(folder)/\(name)"]) { [count] in count.notices += 1 }
  }

  private func write(_ name: String) {
    let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    #expect(file >= 0 && Glibc.write(file, "x", 1) == 1)
    close(file)
  }

  /// How many notices come of what was done with files: changes are in the loop as soon as they are made.
  private func notices(_ watch: FileWatch) throws -> Int {
    let before = count.notices
    repeat {
      while try loop.runOnce(waiting: 0) {}
      try Wait.until("the change is noticed", turning: loop) { watch.since == nil }
      while try loop.runOnce(waiting: 0) {}
    } while watch.since != nil
    return count.notices - before
  }

  @Test func `a file that is written, replaced, moved away and brought back is noticed once each time`() throws {
    let watch = try watch("input.toml")
    write("input.toml")
    #expect(try notices(watch) == 1)
    write("new")
    rename("\(folder)/new", "\(folder)/input.toml")
    #expect(try notices(watch) == 1)
    rename("\(folder)/input.toml", "\(folder)/input.toml~")
    write("input.toml")
    #expect(try notices(watch) == 1)
    unlink("\(folder)/input.toml")
    #expect(try notices(watch) == 1)
  }

  @Test func `what else happens in the folder is nobody's business`() throws {
    let watch = try watch("input.toml")
    write("output.toml")
    #expect(try notices(watch) == 0)
  }

  @Test func `a file in folders that are made later is noticed`() throws {
    let watch = try watch("a/b/input.toml")
    mkdir("\(folder)/a", 0o700)
    #expect(try notices(watch) == 1)
    mkdir("\(folder)/a/b", 0o700)
    #expect(try notices(watch) == 1)
    write("a/b/input.toml")
    #expect(try notices(watch) == 1)
    rename("\(folder)/a", "\(folder)/c")
    #expect(try notices(watch) == 1)
    write("c/b/input.toml")
    #expect(try notices(watch) == 0)
  }

  @Test func `links are followed, and their change is noticed`() throws {
    mkdir("\(folder)/one", 0o700)
    mkdir("\(folder)/two", 0o700)
    write("one/input.toml")
    write("two/input.toml")
    symlink("one", "\(folder)/now")
    symlink("now/input.toml", "\(folder)/input.toml")
    let watch = try watch("input.toml")
    write("one/input.toml")
    #expect(try notices(watch) == 1)
    write("two/input.toml")
    #expect(try notices(watch) == 0)
    symlink("two", "\(folder)/next")
    rename("\(folder)/next", "\(folder)/now")
    #expect(try notices(watch) == 1)
    write("two/input.toml")
    #expect(try notices(watch) == 1)
  }

  @Test func `links that lead in a circle end`() {
    symlink("circle", "\(folder)/circle")
    #expect(FileWatch.steps(to: "\(folder)/circle").count <= 50)
  }
}
