import Glibc
package import Linux
import Synchronization
import Tallymark

/// The file in which a gesture daemon keeps deliveries until the core has acknowledged them, so that a crash of the
/// daemon loses none.
///
/// Its folder (``DaemonFolder``) outlives the daemon. The file is mapped into memory: storing a line (``SpoolLine``)
/// costs no system call, and the kernel keeps the line whenever the process ends. The file is not synced, so a power
/// failure loses it; acknowledged deliveries are safe in the core. The first byte of a line is stored last: a line that
/// a process did not finish begins with a zero byte, like the unused rest of the file. One process at a time has the
/// file.
///
/// Two limits are accepted, because each press then needs two system calls less:
/// - If the file is truncated while it is mapped, the next store to it ends the process (SIGBUS). Only the daemon's own
///   user and root can do that, and both can end the process anyway. The next process starts with the rest of the file.
/// - The checksum does not cover the first byte, which changes when the delivery is acknowledged. A fault that turns
///   just this byte into the other mark is not noticed. Any other value makes the line unreadable, which is logged.
package final class Spool {
  private let path: String
  private let lock: FileDescriptor
  private var memory: SharedMemory?
  /// The end of the last line.
  private var end = 0
  /// The beginning of the oldest waiting line.
  private var oldest = 0
  /// The number of waiting lines.
  private var count = 0
  /// Whether a delivery is missing in the file. The whole file is rewritten before the next line is appended.
  private var isIncomplete = false

  /// Smallest size of the file in bytes: room for about two hundred deliveries before the file is rewritten.
  private static let smallest = 64 << 10
  /// The maximum size in bytes; a full queue is smaller.
  private static let largest = 256 << 20
  /// The maximum size of kept unreadable lines, in bytes.
  private let mostUnreadable: Int

  /// Opens or creates the file at `path`, which only its owner may read.
  ///
  /// - Parameter mostUnreadable: the maximum size of kept unreadable lines, in bytes.
  /// - Throws: the kernel's error; `EWOULDBLOCK` if another process uses the file.
  package init(path: String, mostUnreadable: Int = 16 << 20) throws(SystemError) {
    self.path = path
    self.mostUnreadable = mostUnreadable
    lock = try Self.open("\(path).lock")
    guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else { throw .current("lock \(path)") }
    FileContent.removeUnfinished(of: path)
  }

  /// The path of a producer's spool in a ``DaemonFolder``.
  ///
  /// - Parameter core: the core's socket; each core has a separate spool.
  package static func place(in folder: String, producer: String, core: String) -> String {
    "\(folder)/\(String(FNV1a.hash("\(producer)\0\(core)".utf8), radix: 16)).spool"
  }

  private static func open(_ path: String, _ flags: Int32 = 0) throws(SystemError) -> FileDescriptor {
    let number = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
    guard number >= 0 else { throw .current("open \(path)") }
    return FileDescriptor(owning: number)
  }

  /// Reads the state of the last process, and rewrites the file. Moves unreadable lines to a file beside it.
  package func load() throws(SystemError) -> DeliveryQueue.State {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return .init() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let other = "\(path).foreign"
      guard unsafe rename(path, other) == 0 else { throw .current("move \(path), which is no file, out of the way") }
      ServiceProcess.log(
        .error, "\(path) was no regular file; it is \(other) now, and the queue of gestures begins empty.")
      return .init()
    }
    let content = SpoolContent(parsing: try FileContent.read(path, upTo: Self.largest))
    if !content.unreadable.isEmpty { putAside(content.unreadable, beside: content.state.waiting.count) }
    try save(content.state)
    return content.state
  }

  private func putAside(_ lines: [[UInt8]], beside count: Int) {
    let other = "\(path).unreadable"
    let finding = """
      \(path) has \(lines.count) damaged or unknown lines, each of which may be a gesture that is not counted; \(count) \
      gestures in it are delivered.
      """
    do throws(SystemError) {
      let file = try Self.open(other, O_APPEND)
      let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
      guard lseek(file.number, 0, SEEK_END) + off_t(bytes.count) <= mostUnreadable else {
        throw SystemError("write \(other)", code: EFBIG)
      }
      try file.writeAll(bytes)
      ServiceProcess.log(.error, "\(finding) The lines are kept in \(other).")
    } catch {
      ServiceProcess.log(.error, "\(finding) The lines are not kept: \(error).")
    }
  }

  /// Stores the newest delivery of `queue`. From then on the delivery outlives the process.
  package func append(newestOf queue: DeliveryQueue) throws(SystemError) {
    guard let entry = queue.newest else { return }
    let body = SpoolLine.body(of: entry)
    guard let memory, !isIncomplete, memory.bytes.count - end > body.count else {
      isIncomplete = true
      return try replace(queue.state)
    }
    if count == 0 { oldest = end }
    Self.store(body, SpoolLine.waits, at: &end, in: memory)
    count += 1
  }

  /// Marks the oldest waiting delivery, because the core has acknowledged or refused it.
  package func acknowledge() {
    guard count > 0, let memory else { return }
    memory.bytes[oldest] = SpoolLine.acknowledged
    count -= 1
    while count > 0, oldest < end, memory.bytes[oldest] != UInt8(ascii: "\n") { oldest += 1 }
    oldest += 1
  }

  /// Rewrites the file. Must be called before deliveries are sent under numbers that differ from those in the file.
  package func save(_ state: DeliveryQueue.State) throws(SystemError) {
    do throws(SystemError) {
      try replace(state)
    } catch {
      // The next process must not send the waiting deliveries under their former numbers.
      while count > 0 { acknowledge() }
      isIncomplete = true
      throw error
    }
  }

  private func replace(_ state: DeliveryQueue.State) throws(SystemError) {
    let waiting = Set(state.waiting.compactMap(\.delivery.identity))
    let seen = state.seen.latest.filter { !waiting.contains($0.identity) }.map(SpoolLine.body(of:))
    let bodies = state.waiting.map(SpoolLine.body(of:))
    let length = (seen + bodies).reduce(0) { $0 + $1.count + 1 }
    let (new, memory) = try create(size: max(Self.smallest, 2 * length))
    var end = 0
    for body in seen { Self.store(body, SpoolLine.acknowledged, at: &end, in: memory) }
    let oldest = end
    for body in bodies { Self.store(body, SpoolLine.waits, at: &end, in: memory) }
    guard unsafe rename(new, path) == 0 else { throw .current("write \(path)") }
    (self.memory, self.end, self.oldest, count) = (memory, end, oldest, bodies.count)
    isIncomplete = false
  }

  /// Creates the file's successor. Allocates the whole file, because a store to a page without disk space would end the
  /// process.
  private func create(size: Int) throws(SystemError) -> (name: String, SharedMemory) {
    let name = "\(path).\(getpid()).new"
    unlink(name)
    let file = try Self.open(name, O_EXCL)
    let code = posix_fallocate(file.number, 0, off_t(size))
    guard code == 0 else {
      unlink(name)
      throw SystemError("write \(path)", code: code)
    }
    return (name, try SharedMemory(file, size: size))
  }

  private static func store(_ body: [UInt8], _ mark: UInt8, at end: inout Int, in memory: SharedMemory) {
    let rest = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[(end + 1)...])
    rest.copyBytes(from: body)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    memory.bytes[end] = mark
    end += 1 + body.count
  }
}
