import Bindings
import GestureService
import Gestures
import Testing

struct RecentGesturesTests {
  var recent = RecentGestures()
  let tap = Gesture(kind: .tap, time: 1_000_000, fingers: 1)
  let swipe = Gesture(kind: .swipeUp, time: 5_000_000, fingers: 1)

  private mutating func deliver(
    _ gesture: Gesture, _ action: String, takesBack: [Gesture] = [], device: String = "screen", wall: Int64 = 100_000
  ) throws -> [Change] {
    let bound = BoundGesture(gesture: gesture, action: try Action(action), device: device, takesBack: takesBack)
    return recent.delivery(for: bound, boottime: 10_000_000, wall: wall)?.changes ?? []
  }

  @Test mutating func `what turns out to be a beginning is taken back by its own time, with the rest, in one delivery`()
    throws
  {
    #expect(try deliver(tap, "add people").map(\.time) == [91_000])
    // The clock on the wall was set in between.
    let changes = try deliver(swipe, "add 10", takesBack: [tap], wall: 7_000_000)
    #expect(changes.map(\.verb) == ["undo", "add"])
    #expect(changes.map(\.made) == [91_000, nil])
    #expect(changes.map(\.time) == [6_995_000, 6_995_000])
    #expect(changes.map(\.gesture) == ["swipe-up", "swipe-up"])
  }

  @Test mutating func `several are taken back, the last one first, and each once`() throws {
    let second = Gesture(kind: .tap, time: 2_000_000, fingers: 1)
    _ = try deliver(tap, "add")
    _ = try deliver(second, "subtract 2")
    #expect(try deliver(swipe, "add", takesBack: [tap, second]).map(\.made) == [92_000, 91_000, nil])
    #expect(try deliver(swipe, "add", takesBack: [tap]).count == 1)
  }

  @Test mutating func `what is given once more is another one, in whatever order, and alike in each process`() {
    let bound = [tap, swipe, tap].map { BoundGesture(gesture: $0, action: nil, device: "screen", takesBack: []) }
    let identities = bound.map { recent.identity(of: $0, on: "event5") }
    #expect(Set(identities).count == 3)
    var next = RecentGestures()
    #expect(bound.map { next.identity(of: $0, on: "event5") } == identities)
    let turns = (0..<100).map { _ in recent.identity(of: bound[1], on: "event6") }
    #expect(Set(turns).count == 100)
  }

  @Test mutating func `what another device did, or nobody bound, is not taken back`() throws {
    _ = try deliver(tap, "add", device: "another screen")
    #expect(try deliver(swipe, "add", takesBack: [tap]).count == 1)
  }

  @Test mutating func `an undo is taken back by a redo, and a selection by nothing`() throws {
    _ = try deliver(tap, "undo")
    #expect(try deliver(swipe, "add", takesBack: [tap]).map(\.verb) == ["redo", "add"])
    _ = try deliver(tap, "select people")
    #expect(try deliver(swipe, "add", takesBack: [tap]).map(\.verb) == ["add"])
  }

  @Test mutating func `what is bound to nothing still takes back what it was taken for, and is nothing otherwise`()
    throws
  {
    _ = try deliver(tap, "add")
    func nothing(_ takesBack: [Gesture]) -> Delivery? {
      let bound = BoundGesture(gesture: swipe, action: nil, device: "screen", takesBack: takesBack)
      return recent.delivery(for: bound, boottime: 10_000_000, wall: 100_000)
    }
    #expect(nothing([swipe]) == nil)
    #expect(nothing([tap])?.changes.map(\.verb) == ["undo"])
    #expect(nothing([tap]) == nil)
  }

  @Test mutating func `only the latest are remembered`() throws {
    _ = try deliver(tap, "add")
    for time in 0..<32 as Range<Int64> { _ = try deliver(Gesture(kind: .press, time: time), "add") }
    #expect(try deliver(swipe, "add", takesBack: [tap]).count == 1)
  }
}
