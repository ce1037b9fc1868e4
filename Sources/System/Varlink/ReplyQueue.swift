/// Orders replies by their calls.
///
/// Each call has a number. Replies to the oldest open call are passed on at once; those to later calls are buffered
/// until all earlier calls have had their last reply.
struct ReplyQueue {
  @safe
  private struct Entry {
    // The call's deinit removes the entry first. A strong reference would keep calls alive that a handler dropped.
    unowned(unsafe) let call: Call
    /// Bytes that the call keeps in memory: those of its message, or of the expected reply.
    var size: Int
    var isFinished = false
    var buffer: [UInt8] = []
  }

  private var entries: [Entry] = []
  /// Index of the oldest open call.
  private var first = 0
  /// Number of the call at `entries[0]`.
  private var base = 0
  /// Bytes of replies that wait for earlier calls.
  private(set) var bufferedBytes = 0
  /// Bytes of the messages of open calls.
  private(set) var openBytes = 0

  /// Number of the next call.
  var nextNumber: Int { base + entries.count }

  /// Number of calls with replies to come or buffered.
  var count: Int { entries.count - first }

  /// Adds a call that was created with ``nextNumber``.
  ///
  /// - Parameter size: size of its message in bytes.
  mutating func open(_ call: Call, size: Int) {
    entries.append(Entry(call: call, size: size))
    openBytes += size
  }

  /// Counts at least `bytes` bytes for the open call `number`.
  mutating func reserve(_ bytes: Int, for number: Int) {
    guard isOpen(number) else { return }
    let more = max(0, bytes - entries[number - base].size)
    entries[number - base].size += more
    openBytes += more
  }

  /// The open call `number`.
  func call(_ number: Int) -> Call? { isOpen(number) ? unsafe entries[number - base].call : nil }

  /// Calls without a last reply.
  var openCalls: [Call] { entries[first...].filter { !$0.isFinished }.map { unsafe $0.call } }

  /// Whether the call `number` has had no last reply.
  func isOpen(_ number: Int) -> Bool {
    let index = number - base
    return index >= first && index < entries.count && !entries[index].isFinished
  }

  /// Lets `write` append a reply to the open call `number`: to `output` if it is the oldest, otherwise to its buffer.
  mutating func send(_ number: Int, to output: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
    let index = number - base
    if index == first { return write(&output) }
    bufferedBytes -= entries[index].buffer.count
    write(&entries[index].buffer)
    bufferedBytes += entries[index].buffer.count
  }

  /// Marks the open call `number` as finished, and appends replies that waited for it to `output`.
  mutating func finish(_ number: Int, to output: inout [UInt8]) {
    entries[number - base].isFinished = true
    openBytes -= entries[number - base].size
    while first < entries.count {
      if !entries[first].buffer.isEmpty {
        output.append(contentsOf: entries[first].buffer)
        bufferedBytes -= entries[first].buffer.count
        entries[first].buffer = []
      }
      guard entries[first].isFinished else { break }
      first += 1
    }
    if first == entries.count || first > 64 && first > entries.count / 2 {
      entries.removeFirst(first)
      base += first
      first = 0
    }
  }

  /// Removes all calls, and returns those that were open.
  mutating func removeAll() -> [Call] {
    let open = openCalls
    base += entries.count
    entries = []
    first = 0
    (bufferedBytes, openBytes) = (0, 0)
    return open
  }
}
