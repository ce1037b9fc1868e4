/// Orders replies by their calls.
///
/// Each call has a number. Replies to the oldest open call go to the output at once; those to later calls are buffered
/// until all earlier calls have had their last reply.
struct ReplyQueue {
  @safe
  private struct Entry {
    // The call's deinit removes the entry before the reference becomes invalid. A strong reference would keep calls
    // that a handler has dropped.
    unowned(unsafe) let call: Call
    /// Bytes that the call keeps in memory: those of its message, or of the expected reply.
    var size: Int
    var isFinished = false
    var buffer: [UInt8] = []
  }

  /// The replies in order, to be written.
  var output = WriteBuffer()
  private var entries: [Entry] = []
  /// Index of the oldest open call.
  private var first = 0
  /// Number of the call at `entries[0]`.
  private var base = 0
  /// Bytes of replies that wait for earlier calls.
  private var bufferedBytes = 0
  /// Bytes of the messages of open calls.
  private var openBytes = 0

  /// Number of the next call.
  var nextNumber: Int { base + entries.count }

  /// Number of calls whose replies are not all sent yet.
  var count: Int { entries.count - first }

  /// Whether all calls have had their last reply, and all replies are written.
  var isEmpty: Bool { count == 0 && output.isEmpty }

  /// Bytes of replies that the client has not received.
  var backlog: Int { output.count + bufferedBytes }

  /// Bytes in memory.
  var memory: Int { output.bufferedBytes + bufferedBytes + openBytes }

  /// Whether another call may be opened within the limits.
  func hasRoom(within limits: Server.Limits) -> Bool {
    count < limits.openCalls && backlog + openBytes < limits.unsentReplies
  }

  /// Adds a call that was created with ``nextNumber``.
  ///
  /// - Parameter size: size of its message in bytes.
  mutating func open(_ call: Call, size: Int) {
    entries.append(Entry(call: call, size: size))
    openBytes += size
  }

  /// Counts the open call `number` with at least this number of bytes.
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

  /// Whether the last reply of the call `number` is still missing.
  func isOpen(_ number: Int) -> Bool {
    let index = number - base
    return index >= first && index < entries.count && !entries[index].isFinished
  }

  /// Moves out and returns the bytes to which the next reply to the open call `number` is appended: those of the output
  /// if the call is the oldest, otherwise those of its buffer.
  mutating func takeBytes(of number: Int) -> [UInt8] {
    var taken: [UInt8] = []
    let index = number - base
    if index == first {
      swap(&taken, &output.bytes)
    } else {
      swap(&taken, &entries[index].buffer)
      bufferedBytes -= taken.count
    }
    return taken
  }

  /// Puts the bytes back after ``takeBytes(of:)``.
  mutating func putBytes(_ bytes: consuming [UInt8], of number: Int) {
    let index = number - base
    assert((index == first ? output.bytes : entries[index].buffer).isEmpty, "Replies were written at the same time.")
    if index == first {
      output.bytes = bytes
    } else {
      bufferedBytes += bytes.count
      entries[index].buffer = bytes
    }
  }

  /// Marks the open call `number` as finished, and appends replies that waited for it to the output.
  mutating func finish(_ number: Int) {
    entries[number - base].isFinished = true
    openBytes -= entries[number - base].size
    while first < entries.count {
      if !entries[first].buffer.isEmpty {
        output.bytes.append(contentsOf: entries[first].buffer)
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

  /// Removes all calls and replies, and returns the calls that were open.
  mutating func removeAll() -> [Call] {
    let open = openCalls
    base += entries.count
    entries = []
    output.removeAll()
    first = 0
    (bufferedBytes, openBytes) = (0, 0)
    return open
  }
}
