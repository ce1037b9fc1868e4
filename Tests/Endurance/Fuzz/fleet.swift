// What strangers may say to the stations of a fleet. Each line is a message; `@a` in it stands for the writer of 64 a's,
// and `#a` for the counter of 32. The first byte says in which order a second station hears them.
import Fleet
import JSON
import Varlink

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let input = UnsafeBufferPointer(start: bytes, count: count)
  let lines = input.dropFirst().split(separator: UInt8(ascii: "\n")).prefix(64).map(expand)
  let messages = lines.compactMap(read)
  guard !messages.isEmpty else { return 0 }
  var (one, two, three) = (Station(), Station(), Station())
  // Strangers may say anything of this writer.
  one.begin(writer("f"))
  for message in messages { hear(message, &one) }
  for message in shuffle(messages, by: Int(input[0])) { hear(message, &two) }
  checkBounds(of: one, messages)
  compare(one, two, "in another order")
  ask(one, by: &three)
  compare(one, three, "from a station that heard it")
  act(&one)
  for period in one.knowledge.periods { for message in one.announcement(of: period).reversed() { hear(message, &two) } }
  ask(one, by: &three)
  compare(one, two, "of its acts from itself")
  compare(one, three, "of its acts from its summary")
  return 0
}

private func writer(_ digit: Character) -> WriterID { WriterID(String(repeating: digit, count: 64))! }

// MARK: Messages

private func expand(_ line: some Collection<UInt8>) -> [UInt8] {
  var text: [UInt8] = []
  var rest = line[...]
  while let byte = rest.popFirst() {
    let count = byte == UInt8(ascii: "@") ? 64 : byte == UInt8(ascii: "#") ? 32 : 1
    text += Array(repeating: count == 1 ? byte : rest.popFirst() ?? 0, count: count)
  }
  return text
}

/// A message of either kind is read as it was written; only those about totals change a station.
private func read(_ line: [UInt8]) -> Message? {
  if let history = past(line) {
    demand(past(Array(history.text.utf8)) == history, "a message about the past is read as it was written")
  }
  guard let message = try? Message(parsing: line) else { return nil }
  let text = Array(message.text.utf8)
  demand(
    text.count > Message.maximumLength || (try? Message(parsing: text)) == message,
    "a message is read as it was written")
  return message
}

private func past(_ text: [UInt8]) -> HistoryMessage? {
  guard let members = (try? JSON(parsing: String(decoding: text, as: UTF8.self)))?.object else { return nil }
  return try? HistoryMessage(parsing: members)
}

private func shuffle(_ messages: [Message], by choice: Int) -> [Message] {
  let start = choice >> 1 % messages.count
  let turned = Array(messages[start...] + messages[..<start])
  return choice & 1 == 0 ? turned.reversed() : turned
}

// MARK: Stations

/// Has a station learn a message twice; returns its replies.
@discardableResult
private func hear(_ message: Message, _ station: inout Station) -> [Message] {
  do {
    let before = station
    let learned = try station.learn(message)
    demand(
      learned.isNew == (station.knowledge[message.period] != before.knowledge[message.period]),
      "only what changes something is new")
    let named = message.content.resets.values.compactMap(\.base) + message.held.keys
    demand(learned.wanted.isSubset(of: named), "a station asks only for what the message names")
    let after = station
    let again = try station.learn(message)
    demand(!again.isNew && station == after, "a message that was heard is not new")
    let replica = station.knowledge[message.period]
    let given = message.asked.flatMap { reset in
      replica.resets[reset].map { Message(message.period, Replica(resets: [reset: $0])).split() } ?? []
    }
    return Message(message.period, asked: again.wanted).split() + given
  } catch {
    demand(false, "an input is too short for a bound: \(error)")
    return []
  }
}

/// Has a station hear the summaries of another one, and gets what it asks for, until it asks no more.
private func ask(_ other: Station, by station: inout Station) {
  var other = other
  for period in other.knowledge.periods {
    var said = other.summary(of: period)
    for _ in 0..<3 {
      for message in said {
        demand((try? Message(parsing: Array(message.text.utf8))) == message, "what a station says can be read")
      }
      let questions = said.flatMap { hear($0, &station) }
      said = questions.flatMap { hear($0, &other) }
    }
    demand(said.isEmpty, "a station asks no more for what it was told")
  }
}

private func compare(_ one: Station, _ other: Station, _ how: String) {
  for period in Set(one.knowledge.periods).union(other.knowledge.periods) {
    let (replica, heard) = (one.knowledge[period], other.knowledge[period])
    demand(replica.total() == replica.sum, "the total is not the sum of what no reset has seen")
    demand(replica.total() == heard.total(), "a station that heard it \(how) shows another total")
    demand(replica == heard, "a station that heard it \(how) knows something else")
  }
}

/// A station keeps no more than it was told, and nothing of questions.
private func checkBounds(of station: Station, _ messages: [Message]) {
  let said = messages.filter { $0.content != Replica() }
  demand(
    Set(station.knowledge.periods).isSubset(of: said.map(\.period)),
    "a station keeps counters of which nothing was said")
  // What a reset has seen is learned as well.
  let rows = said.reduce(0) { $0 + $1.content.registers.count + 2 * $1.content.seen + $1.content.undone.count }
  let kept = station.knowledge.periods.reduce(0) { sum, period in
    let replica = station.knowledge[period]
    return sum + replica.registers.count + replica.seen + replica.undone.count
  }
  demand(kept <= rows, "\(kept) rows are kept of \(rows)")
}

extension Replica {
  /// The number of resets and of the registers that they have seen.
  fileprivate var seen: Int { resets.values.reduce(0) { $0 + 1 + $1.seen.count } }

  /// The total as its description says it.
  fileprivate var sum: Int128 {
    var floor: [WriterID: Register] = [:]
    for entry in resets.keys where !undone.contains(entry) {
      guard let seen = sight(of: entry) else { continue }
      floor.merge(seen) { $0.joined(with: $1) }
    }
    return registers.reduce(0) { $0 + $1.value.change - (floor[$1.key]?.change ?? 0) }
  }

  /// What a reset has seen, also by those that it builds on; `nil` if some of it is not known.
  private func sight(of entry: Entry) -> [WriterID: Register]? {
    var (seen, visited, next): ([WriterID: Register], Set<Entry>, Entry?) = ([:], [], entry)
    while let entry = next {
      guard let reset = resets[entry], reset.seen.count >= reset.size else { return nil }
      guard visited.insert(entry).inserted else { return nil }
      seen.merge(reset.seen) { $0.joined(with: $1) }
      next = reset.base
    }
    return seen
  }
}

// MARK: Acts

/// What people do counts, whatever strangers said before.
private func act(_ station: inout Station) {
  // One of whom nobody has heard.
  station.begin(WriterID("5a3c0f9e7d1b2846" + String(repeating: "0123456789abcdef", count: 3))!)
  var number: Int64 = 0
  func next() -> Int64 {
    number += 1
    return number
  }
  for period in station.knowledge.periods.sorted(by: { $0.counter.description < $1.counter.description }) {
    func demandTotal(_ total: Int128, _ what: String) {
      let shown = station.knowledge[period].total()
      demand(shown == total, "\(what): the total is \(shown), not \(total)")
    }
    do {
      let before = station.knowledge[period].total()
      try station.count(5, in: period, as: next())
      demandTotal(before + 5, "a count")
      let reset = try station.reset(period, as: next())
      demandTotal(0, "a reset")
      try station.count(-3, in: period, as: next())
      demandTotal(-3, "a count after a reset")
      try station.undo(reset, of: period)
      demandTotal(before + 2, "an undone reset")
      let again = try station.redo(reset, of: period, as: next())
      demandTotal(-3, "a reset again")
      try station.undo(again, of: period)
      demandTotal(before + 2, "an undone reset again")
      try station.reset(period, as: next())
      demandTotal(0, "another reset")
    } catch {
      demand(false, "a station cannot count: \(error)")
    }
  }
}
