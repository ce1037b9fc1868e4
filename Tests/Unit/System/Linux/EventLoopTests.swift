import Glibc
import Linux
import Testing

@Suite struct `An event loop` {
  /// Releases its descriptor before its source, as properties do in the order in which they are declared.
  private final class Holder {
    let descriptor: FileDescriptor
    var source: DescriptorSource?

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }
  }

  @Test func `forgets a descriptor that is closed here and kept open elsewhere`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let writing = FileDescriptor(owning: ends[1])
    let loop = try EventLoop()
    var readiness = 0
    var holder: Holder? = Holder(FileDescriptor(owning: ends[0]))
    // As the service manager does with those in its store.
    let kept = FileDescriptor(owning: dup(ends[0]))
    holder?.source = try holder.map { try loop.watch($0.descriptor, for: .readable) { _ in readiness += 1 } }
    #expect(write(writing.number, "x", 1) == 1)
    #expect(try loop.runOnce(waiting: 0))
    #expect(readiness == 1)
    holder = nil
    #expect(write(writing.number, "x", 1) == 1)
    #expect(try !loop.runOnce(waiting: 0))
    #expect(readiness == 1)
    withExtendedLifetime(kept) {}
  }
}
