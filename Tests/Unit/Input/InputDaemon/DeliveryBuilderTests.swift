import Bindings
import CoreAPI
import Gestures
import InputDaemon
import Testing

struct DeliveryBuilderTests {
  var recent = DeliveryBuilder()
  let tap = Gesture(kind: .tap, time: 1_000_000, fingers: 1)
  let swipe = Gesture(kind: .swipeUp, time: 5_000_000, fingers: 1)

  private mutating func deliver(
    _ gesture: Gesture, _ action: String, takesBack: [Gesture] = [], device: String = "screen", wall: Int64 = 100_000
  ) throws -> [Counters.Change] {
    let action = try Action(all: action.split(separator: ",").map(String.init))
    let bound = BoundGesture(gesture: gesture.takingBack(takesBack), action: action, device: device)
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
    let bound = [tap, swipe, tap].map { BoundGesture(gesture: $0, action: nil, device: "screen") }
    let identities = bound.map { recent.identity(of: $0, on: "event5") }
    #expect(Set(identities).count == 3)
    var next = DeliveryBuilder()
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
      let bound = BoundGesture(gesture: swipe.takingBack(takesBack), action: nil, device: "screen")
      return recent.delivery(for: bound, boottime: 10_000_000, wall: 100_000)
    }
    #expect(nothing([swipe]) == nil)
    #expect(nothing([tap])?.changes.map(\.verb) == ["undo"])
    #expect(nothing([tap]) == nil)
  }

  @Test mutating func `several actions are one delivery, and one undo takes all of them back`() throws {
    let changes = try deliver(tap, "stop anna, start bea, next")
    #expect(changes.map(\.verb) == ["stop", "start", "next"])
    #expect(changes.map(\.counter) == ["anna", "bea", nil])
    #expect(changes.map(\.isTogether) == [false, true, true])
    #expect(Set(changes.map(\.time)).count == 1)
    let second = try deliver(swipe, "add", takesBack: [tap])
    #expect(second.map(\.verb) == ["previous", "undo", "add"])
    #expect(second.map(\.made) == [nil, 91_000, nil])
    #expect(second.map(\.isTogether) == [false, false, false])
  }

  @Test mutating func `the group of counters is chosen by next and previous`() throws {
    let next = try deliver(tap, "next-group")
    #expect(next.map(\.verb) == ["next"] && next.map(\.isGroups) == [true])
    let previous = try deliver(swipe, "previous-group", takesBack: [tap])
    #expect(previous.map(\.verb) == ["previous"] && previous.map(\.isGroups) == [true])
    #expect(try deliver(tap, "next").map(\.isGroups) == [false])
  }

  @Test mutating func `the history has the keys of a gesture`() throws {
    let press = Gesture(kind: .press, time: 1, key: 109)
    for _ in 0..<2 { #expect(try deliver(press, "add").map(\.gesture) == ["press KEY_PAGEDOWN"]) }
    #expect(try deliver(Gesture(kind: .longPress, time: 1, key: 84), "add").map(\.gesture) == ["long-press 84"])
    let chord = Gesture(kind: .chord, time: 1, chord: [.init(code: 48), .init(code: 30)])
    #expect(try deliver(chord, "add").map(\.gesture) == ["chord KEY_A KEY_B"])
    let long = Gesture(kind: .chord, time: 1, chord: (105..<125).map { .init(code: $0) })
    #expect(try deliver(long, "add").map(\.gesture) == ["chord"])
    #expect(try deliver(tap, "add").map(\.gesture) == ["tap"])
  }

  @Test mutating func `only the latest are remembered`() throws {
    _ = try deliver(tap, "add")
    for time in 0..<32 as Range<Int64> { _ = try deliver(Gesture(kind: .press, time: time), "add") }
    #expect(try deliver(swipe, "add", takesBack: [tap]).count == 1)
  }
}

extension Gesture {
  fileprivate func takingBack(_ earlier: [Gesture]) -> Gesture {
    Gesture(kind: kind, time: time, key: key, chord: chord, fingers: fingers, takesBack: earlier)
  }
}
