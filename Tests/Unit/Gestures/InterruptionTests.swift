import Gestures
import Testing

/// Touches of which not everything is known.
@Suite struct InterruptionTests {
  var hand = Hand()

  @Test mutating func `a touch during which events were dropped is nothing, and the next one counts`() {
    hand.land(x: 500, y: 500)
    hand.report([(0x35, 510)], isResync: true)
    hand.lift()
    hand.wait(60)
    #expect(hand.kinds == [])
    hand.tap()
    #expect(hand.kinds == [.tap])
  }

  @Test mutating func `a finger that lifted while events were dropped does not stay down`() {
    hand.land(x: 500, y: 500)
    hand.report([(0x2f, 0), (0x39, -1)], isResync: true)
    hand.tap()
    #expect(hand.kinds == [.tap])
  }

  @Test mutating func `a finger that landed while events were dropped makes no gesture, and hinders none beside it`() {
    hand.report([(0x2f, 0), (0x39, 5), (0x35, 100), (0x36, 100)], isResync: true)
    hand.wait(50)
    hand.tap(1)
    hand.move(0, x: 900, y: 100)
    hand.lift(0)
    hand.wait(60)
    #expect(hand.kinds == [.tap])
    hand.tap(1)
    #expect(hand.kinds == [.tap, .tap])
  }

  @Test mutating func `another finger in the same slot after events were dropped is not the first one's stroke`() {
    hand.land(x: 500, y: 100)
    hand.report([(0x2f, 0), (0x39, 77), (0x36, 900)], isResync: true)
    hand.lift()
    #expect(hand.kinds == [])
  }

  @Test mutating func `a device that goes away in mid-touch made no gesture`() {
    hand.land(x: 500, y: 500)
    hand.land(1, x: 600, y: 500)
    hand.recognizer.cancel()
    hand.lift(0)
    hand.lift(1)
    #expect(hand.kinds == [])
    hand.tap()
    #expect(hand.kinds == [.tap])
  }

  @Test mutating func `several resynchronisations in a row leave nothing behind`() {
    for value in [5, -1, 6, 6, -1] as [Int32] { hand.report([(0x2f, 0), (0x39, value)], isResync: true) }
    hand.tap()
    #expect(hand.kinds == [.tap])
  }

  @Test mutating func `a touch that ends before it began is no tap, and the next one counts`() {
    hand.tap(for: -900)
    hand.wait(100)
    #expect(hand.kinds == [])
    hand.tap()
    #expect(hand.kinds == [.tap])
  }

  @Test mutating func `the ends of time are only times`() {
    let stamps: [Int64] = [.min, .max, 0, .max, .min]
    for time in stamps {
      for id in [1, -1] as [Int32] {
        let events = [(0x2f, 0), (0x39, id), (0x35, 500), (0x36, 500)].map {
          InputEvent(type: 3, code: $0.0, value: $0.1)
        }
        hand.gestures += hand.recognizer.handle(Frame(time: time, events: events))
      }
    }
    #expect(hand.kinds == Array(repeating: .tap, count: 5))
  }

  @Test mutating func `a contact in a slot that no table has room for is not there`() {
    for slot in [64, 1000, Int32.max, -1, .min] {
      hand.land(slot, x: 100, y: 100)
      hand.tap(0)
      hand.lift(slot)
    }
    #expect(hand.kinds == Array(repeating: .tap, count: 5))
  }

  @Test mutating func `tracking ids at the ends of their range are ids`() {
    for id in [0, Int32.max, 65535] {
      hand.report([(0x2f, 0), (0x39, id), (0x35, 500), (0x36, 500)])
      hand.wait(50)
      hand.report([(0x39, .min)])
      hand.wait(50)
    }
    #expect(hand.kinds == [.tap, .tap, .tap])
  }
}
