import Counting
import Testing

@Suite struct `Goals` {
  var bench = Bench()

  mutating func make(start: Int64 = 0, target: Int64, every: Int64? = nil) throws(CountingError) {
    try bench.perform(
      .create(name: "a", [.start: .integer(start), .target: .integer(target), .every: .init(every)]))
  }

  @Test(
    arguments: [
      (0, 100, 33, 33, 67, 33), (0, 3, 1, 1, 2, 33), (0, 3, 4, 4, 0, 133), (10, 0, 4, 6, 4, 60),
      (0, 100, -1, -1, 101, -1),
      (0, 7, 7, 7, 0, 100),
    ] as [(Int64, Int64, Int64, Int64, Int64, Int64)])
  mutating func `progress is what is done, what is left, and the part of a hundred`(
    _ start: Int64, _ target: Int64, _ value: Int64, _ done: Int64, _ left: Int64, _ percent: Int64
  ) throws {
    try make(start: start, target: target)
    try bench.perform(.correct(.named("a"), to: .units(value)))
    let progress = try #require(try bench.counter("a").progress)
    #expect((progress.done, progress.left, progress.percent) == (done, left, percent))
    #expect(try bench.counter("a").kind == .goal)
  }

  @Test(arguments: [(Int64.min, Int64.max, Int64(0)), (.max, .min, .max), (0, 1, .max), (0, 1, .min), (1, .min, 5)])
  func `no progress traps`(_ start: Int64, _ target: Int64, _ value: Int64) throws {
    var counter = Counter(id: .init(1), name: try CounterName("a"), title: "a", start: start, step: 1, value: value)
    counter.target = target
    _ = counter.progress
  }

  @Test mutating func `the event that reaches the target says so, once, and when it was is kept`() throws {
    try make(target: 3)
    #expect(try bench.add("a", 2).marks == [])
    #expect(try bench.add("a").marks.contains(.reached))
    let reachedAt = bench.time
    #expect(try !bench.add("a").marks.contains(.reached))
    #expect(try bench.counter("a").reachedAt == reachedAt)
    try bench.subtract("a", 2)
    #expect(try bench.counter("a").reachedAt == nil)
    #expect(try bench.add("a", 5).marks.contains(.reached))
  }

  @Test mutating func `a goal below its start is reached going down`() throws {
    try make(start: 10, target: 7, every: 2)
    #expect(try bench.add("a").boundary == nil)
    #expect(try bench.subtract("a", 2).boundary == nil)
    #expect(try bench.subtract("a").boundary == 8)
    #expect(try bench.subtract("a").marks.contains(.reached))
  }

  @Test mutating func `each boundary is told by the event that passes it, the last one where it passes several`() throws
  {
    try bench.perform(.create(name: "a", [.start: .integer(5), .every: .integer(10)]))
    #expect(try bench.add("a", 9).boundary == 10)
    #expect(try bench.add("a").boundary == nil)
    #expect(try bench.add("a", 25).boundary == 40)
    #expect(try bench.subtract("a", 30).boundary == nil)
    #expect(try bench.subtract("a", 30).boundary == nil)
    #expect(try bench.add("a", 20).boundary == nil)
    #expect(try bench.add("a", 16).boundary == 10)
  }

  @Test mutating func `undoing what reached the target brings back what was`() throws {
    try make(target: 3)
    let event = try bench.add("a", 3)
    try bench.perform(.undo([.init(event)]))
    #expect(try bench.counter("a").reachedAt == nil)
    #expect(try bench.add("a", 3).marks.contains(.reached))
  }

  @Test mutating func `a target that is set below the value is reached at once, and one that is moved away is not`()
    throws
  {
    try bench.perform(.create(name: "a"))
    try bench.add("a", 5)
    try bench.perform(.set(.named("a"), [.target: .integer(4)]))
    #expect(try bench.counter("a").reachedAt == bench.time)
    try bench.perform(.set(.named("a"), [.target: .integer(40)]))
    #expect(try bench.counter("a").reachedAt == nil)
  }
}
