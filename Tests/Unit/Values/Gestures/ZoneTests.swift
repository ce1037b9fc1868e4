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
    var hand = Hand(([door] + Zone.halves).map { .touch(.tap, zone: $0) })
    hand.play("down 0 0.2 0.2, down 1 0.2 0.6, down 2 0.7 0.6, 80ms, up 2, up 0, up 1")
    #expect(hand.gestures.map(\.zone) == ["right", "door", "left"])
    #expect(hand.kinds == [.tap, .tap, .tap])
  }

  @Test func `zones that cross make areas of their own`() throws {
    let left = try #require(Zone.halves.first)
    let upper = try #require(Zone(name: "upper", left: 0, top: 0, right: 1, bottom: 0.4))
    var hand = Hand([.touch(.tap, zone: left), .touch(.doubleTap, zone: upper)])
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
