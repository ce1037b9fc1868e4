import Glibc
import Linux
import TestKit
import Testing

@Suite struct UnixSocketTests {
  /// The permissions of a file.
  private func mode(_ path: String) -> UInt32 {
    var status = stat()
    #expect(lstat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  @Test(arguments: [0o600, 0o660, 0o666] as [UInt32]) func `a socket's file has the mode that was asked for`(
    mode: UInt32
  ) throws {
    let temporary = TemporaryFolder()
    let listener = try UnixSocket.listen(at: temporary.path("socket"), mode: mode)
    #expect(self.mode(temporary.path("socket")) == mode)
    withExtendedLifetime(listener) {}
  }

  @Test func `making a socket leaves files of other threads their mode`() throws {
    let temporary = TemporaryFolder()
    let maker = try Worker<Int>(capacity: 1) { mailbox in
      while case .nothing = mailbox.take(until: 0) {
        let path = temporary.path("socket-\(UInt64.random(in: 0...UInt64.max))")
        _ = try? UnixSocket.listen(at: path, mode: 0o600)
      }
    }
    for number in 0..<Rounds.times(500) {
      let path = temporary.path("folder-\(number)")
      mkdir(path, 0o711)
      #expect(mode(path) & 0o700 == 0o700)
      rmdir(path)
    }
    maker.end(by: Clock.boottime() + Wait.longest)
  }
}
