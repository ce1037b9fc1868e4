/// Brings replies, in whatever order they are given, into the order of their calls.
///
/// Each call has a number. What is said to the oldest open call goes out at once; what is said to a later one is held
/// until all before it have had their last reply.
struct ReplyOrder {
  @safe
  private struct Entry {
    // The owner takes the entry out in the call's deinit; a counted reference would keep every forgotten call alive.
    unowned(unsafe) let call: Call
    var isFinished = false
    var held: [UInt8] = []
  }

  private var entries: [Entry] = []
  /// Entries before this one are done with.
  private var first = 0
  /// The number of the call at `entries[0]`.
  private var base = 0
  /// Bytes that wait for earlier calls.
  private(set) var heldCount = 0

  /// The number that the next call gets.
  var nextNumber: Int { base + entries.count }

  /// How many calls wait for their last reply or for their turn.
  var count: Int { entries.count - first }

  /// Takes up a call that was made with ``nextNumber``.
  mutating func open(_ call: Call) { entries.append(Entry(call: call)) }

  /// Whether `number` still waits for a last reply.
  func isOpen(_ number: Int) -> Bool {
    let index = number - base
    return index >= first && index < entries.count && !entries[index].isFinished
  }

  /// Adds the reply that `write` appends to the open call `number`, to `output` if it is its turn.
  mutating func send(_ number: Int, to output: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
    let index = number - base
    if index == first { return write(&output) }
    heldCount -= entries[index].held.count
    write(&entries[index].held)
    heldCount += entries[index].held.count
  }

  /// Marks the open call `number` as answered, and lets those go out that waited for it.
  mutating func finish(_ number: Int, to output: inout [UInt8]) {
    entries[number - base].isFinished = true
    while first < entries.count {
      if !entries[first].held.isEmpty {
        output.append(contentsOf: entries[first].held)
        heldCount -= entries[first].held.count
        entries[first].held = []
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

  /// Forgets all calls, and answers those that were still open.
  mutating func removeAll() -> [Call] {
    let open = entries[first...].filter { !$0.isFinished }.map { unsafe $0.call }
    base += entries.count
    entries = []
    first = 0
    heldCount = 0
    return open
  }
}
