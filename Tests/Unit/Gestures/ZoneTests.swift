import Gestures
import Testing

@Suite struct ZoneTests {
  @Test func `zones lie on the screen and are not empty`() {
    #expect(Zone(name: "all", left: 0, top: 0, right: 1, bottom: 1) != nil)
    for (left, top, right, bottom) in [
      (0.5, 0, 0.5, 1), (0.6, 0, 0.5, 1), (-0.1, 0, 1, 1), (0, 0, 1.1, 1), (0, 0.5, 1, 0.5), (0, 0, 1, .nan),
      (.nan, 0, 1, 1), (0, -.infinity, 1, 1),
    ] { #expect(Zone(name: "none", left: left, top: top, right: right, bottom: bottom) == nil) }
    #expect(Zone(column: 4, row: 1, of: (3, 2)) == nil && Zone(column: 0, row: 1, of: (3, 2)) == nil)
    #expect(Zone(column: 1, row: 1, of: (0, 0)) == nil)
  }

  @Test(arguments: [(1, 1), (3, 2), (7, 5), (16, 16)]) func `every place is in one cell of a grid`(
    columns: Int, rows: Int
  ) {
    let cells = (0..<columns * rows).compactMap {
      Zone(column: $0 % columns + 1, row: $0 / columns + 1, of: (columns, rows))
    }
    #expect(cells.count == columns * rows)
    // A cell names itself.
    for (number, zone) in cells.enumerated() {
      let cell = zone.cell
      #expect([cell?.column, cell?.row] == [number % columns + 1, number / columns + 1], "\(zone)")
      #expect([cell?.grid.columns, cell?.grid.rows] == [columns, rows], "\(zone)")
    }
    for x in 0...3 * columns {
      for y in 0...3 * rows {
        let place = Gesture.Position(x: Double(x) / Double(3 * columns), y: Double(y) / Double(3 * rows))
        #expect(cells.count { $0.contains(place) } == 1, "\(place)")
      }
    }
    #expect(!cells.contains { cell in cells.contains { $0.crosses(cell) } })
  }

  @Test func `the smallest zone that a touch begins in is its own, and no finger elsewhere has to do with it`() throws {
    let door = try #require(Zone(name: "door", left: 0.1, top: 0.1, right: 0.3, bottom: 0.3))
    let interests = ([door] + Zone.halves).map { Interest(.tap, .touch(fingers: 1, zone: $0)) }
    var hand = Hand(interests)
    hand.land(0, x: 200, y: 200)
    hand.land(1, x: 200, y: 600)
    hand.land(2, x: 700, y: 600)
    hand.wait(80)
    for slot in [2, 0, 1] as [Int32] { hand.lift(slot) }
    #expect(hand.gestures.map(\.zone) == ["right", "door", "left"])
    #expect(hand.kinds == [.tap, .tap, .tap])
  }

  @Test func `zones that cross make areas of their own`() throws {
    let left = try #require(Zone.halves.first)
    let upper = try #require(Zone(name: "upper", left: 0, top: 0, right: 1, bottom: 0.4))
    var hand = Hand([
      Interest(.tap, .touch(fingers: 1, zone: left)), Interest(.doubleTap, .touch(fingers: 1, zone: upper)),
    ])
    #expect(left.crosses(upper) && !left.crosses(left) && left.holds(left))
    // Where they cross a tap waits for the double-tap of the one, and nowhere else.
    for (x, y) in [(200, 200), (200, 800), (800, 200), (800, 800)] as [(Int32, Int32)] {
      hand.gestures = []
      hand.tap(x: x, y: y)
      #expect(hand.kinds == (y == 200 ? [] : [.tap]))
      hand.wait(500)
      #expect(hand.kinds == [.tap])
      #expect(hand.gestures[0].zone == (y == 200 ? "upper" : x == 200 ? "left" : nil))
    }
  }
}
