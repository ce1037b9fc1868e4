import Glibc
package import Platform
import Varlink

/// The file in which a gesture daemon keeps what the core has not acknowledged, so that its own death loses none of it.
///
/// It lies in a folder that a restart of the daemon outlives (`/run`), and is not synced: what was acknowledged is safe
/// in the core, and a power failure takes the rest with it. A line for how the queue stood, and behind it one for each
/// delivery since, all JSON; further such lines take the place of all before them. One process at a time has it.
package final class Spool {
  private let path: String
  private let lock: Descriptor
  private var file: Descriptor
  private var lines = 0
  /// Whether something is missing in it; then nothing may be written behind that.
  private var isBroken = false

  /// How many lines it has at most before it is written anew, unless more are waiting.
  private static let longest = 256
  /// More than a full queue takes, in bytes.
  private static let largest = 256 * 1024 * 1024

  /// Takes the file at `path`, which its owner alone may read, and makes it where there is none.
  ///
  /// - Throws: what the kernel refused; `EWOULDBLOCK` where another process has it.
  package init(path: String) throws(SystemError) {
    self.path = path
    lock = try Self.open("\(path).lock")
    guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else { throw .current("lock \(path)") }
    FileContent.removeUnfinished(of: path)
    file = try Self.open(path)
  }

  /// Where the spool of a producer lies: in the folder that systemd gives the service, else in the session's own; `nil`
  /// where there is neither.
  ///
  /// - Parameter core: where it delivers; what one core is to count is no other one's business.
  package static func place(producer: String, core: String) -> String? {
    let session = ServiceProcess.environment("XDG_RUNTIME_DIR").map { "\($0)/tallymark" }
    guard let folder = ServiceProcess.environment("RUNTIME_DIRECTORY") ?? session else { return nil }
    // FNV-1a: a name for the two that any folder takes.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(producer)\0\(core)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\(folder)/\(String(hash, radix: 16)).spool"
  }

  private static func open(_ path: String) throws(SystemError) -> Descriptor {
    let number = unsafe Glibc.open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw .current("open \(path)") }
    return Descriptor(owning: number)
  }

  /// What the last process left. A line that it did not finish was counted by nobody, and is cut off.
  package func load() throws(SystemError) -> DeliveryQueue.State {
    let content = try FileContent.read(path, upTo: Self.largest)
    var state = DeliveryQueue.State()
    var whole = 0
    while let end = content[whole...].firstIndex(of: UInt8(ascii: "\n")) {
      let text = String(decoding: content[whole..<end], as: UTF8.self)
      guard let line = (try? JSON(parsing: text))?.object else { break }
      if let delivery = Delivery(line) {
        state.taken.note(delivery)
        state.waiting.append(delivery)
      } else {
        var next = DeliveryQueue.State(epoch: line["epoch"]?.int, first: line["first"]?.int ?? 1)
        next.taken = state.taken
        for case .object(let entry) in line["taken"]?.array ?? [] {
          if let identity = entry["identity"]?.string, let time = entry["time"]?.int {
            next.taken.note(.init(identity: identity, time: time))
          }
        }
        state = next
      }
      lines += 1
      whole = end + 1
    }
    if whole < content.count, ftruncate(file.number, off_t(whole)) != 0 { throw .current("cut \(path)") }
    return state
  }

  /// Adds a delivery that the queue has taken. Whoever dies after this has not lost it.
  package func append(_ delivery: Delivery, to queue: DeliveryQueue) throws(SystemError) {
    if isBroken || lines >= max(Self.longest, 2 * queue.count), let state = queue.state { return try replace(state) }
    try write(line(delivery))
    lines += 1
  }

  /// Writes how the queue stands, before anything is delivered that an earlier line would contradict.
  package func save(_ state: DeliveryQueue.State) throws(SystemError) {
    guard state.waiting.isEmpty, !isBroken, lines < Self.longest else { return try replace(state) }
    try write(head(of: state))
    lines += 1
  }

  /// Writes all of it, whole or not at all. What contradicts what is delivered from now on must not stay.
  private func replace(_ state: DeliveryQueue.State) throws(SystemError) {
    var head = head(of: state, taken: state.taken.latest)
    for delivery in state.waiting { head += line(delivery) }
    do throws(SystemError) {
      try FileContent.replace(path, with: head)
      file = try Self.open(path)
    } catch {
      isBroken = true
      ftruncate(file.number, 0)
      throw error
    }
    isBroken = false
    lines = 1 + state.waiting.count
  }

  private func head(of state: DeliveryQueue.State, taken: [TakenGestures.Entry] = []) -> [UInt8] {
    var head: JSONObject = ["first": .int(state.first)]
    head["epoch"] = state.epoch.map { .int($0) }
    if !taken.isEmpty {
      head["taken"] = .array(taken.map { .object(["identity": .string($0.identity), "time": .int($0.time)]) })
    }
    return Array("\(JSON.object(head))\n".utf8)
  }

  private func line(_ delivery: Delivery) -> [UInt8] { Array("\(JSON.object(delivery.parameters))\n".utf8) }

  private func write(_ bytes: [UInt8]) throws(SystemError) {
    guard !isBroken else { throw SystemError("write \(path)", code: EIO) }
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }
    guard count != bytes.count else { return }
    let error: SystemError = count < 0 ? .current("write \(path)") : SystemError("write \(path)", code: ENOSPC)
    isBroken = true
    throw error
  }
}
