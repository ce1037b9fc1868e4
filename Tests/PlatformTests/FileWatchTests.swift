import Glibc
import Platform
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1)))
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

  /// How many notices come until it is quiet.
  private func notices() throws -> Int {
    let before = count.notices
    let end = Clock.boottime() + 700_000_000
    while Clock.boottime() < end, count.notices == before { _ = try loop.runOnce(waiting: 20_000) }
    let quiet = Clock.boottime() + 150_000_000
    while Clock.boottime() < quiet { _ = try loop.runOnce(waiting: 20_000) }
    return count.notices - before
  }

  @Test func `a file that is written, replaced, moved away and brought back is noticed once each time`() throws {
    let watch = try watch("input.toml")
    defer { withExtendedLifetime(watch) {} }
    write("input.toml")
    #expect(try notices() == 1)
    write("new")
    rename("\(folder)/new", "\(folder)/input.toml")
    #expect(try notices() == 1)
    rename("\(folder)/input.toml", "\(folder)/input.toml~")
    write("input.toml")
    #expect(try notices() == 1)
    unlink("\(folder)/input.toml")
    #expect(try notices() == 1)
  }

  @Test func `what else happens in the folder is nobody's business`() throws {
    let watch = try watch("input.toml")
    defer { withExtendedLifetime(watch) {} }
    write("output.toml")
    #expect(try notices() == 0)
  }

  @Test func `a file in folders that are made later is noticed`() throws {
    let watch = try watch("a/b/input.toml")
    defer { withExtendedLifetime(watch) {} }
    mkdir("\(folder)/a", 0o700)
    #expect(try notices() == 1)
    mkdir("\(folder)/a/b", 0o700)
    #expect(try notices() == 1)
    write("a/b/input.toml")
    #expect(try notices() == 1)
    rename("\(folder)/a", "\(folder)/c")
    #expect(try notices() == 1)
    write("c/b/input.toml")
    #expect(try notices() == 0)
  }

  @Test func `links are followed, and their change is noticed`() throws {
    mkdir("\(folder)/one", 0o700)
    mkdir("\(folder)/two", 0o700)
    write("one/input.toml")
    write("two/input.toml")
    symlink("one", "\(folder)/now")
    symlink("now/input.toml", "\(folder)/input.toml")
    let watch = try watch("input.toml")
    defer { withExtendedLifetime(watch) {} }
    write("one/input.toml")
    #expect(try notices() == 1)
    write("two/input.toml")
    #expect(try notices() == 0)
    symlink("two", "\(folder)/next")
    rename("\(folder)/next", "\(folder)/now")
    #expect(try notices() == 1)
    write("two/input.toml")
    #expect(try notices() == 1)
  }

  @Test func `links that lead in a circle end`() {
    symlink("circle", "\(folder)/circle")
    #expect(FileWatch.steps(to: "\(folder)/circle").count <= 50)
  }
}
