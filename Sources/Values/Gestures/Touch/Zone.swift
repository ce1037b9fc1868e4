/// A named rectangle of a touch surface, in fractions of the surface as the person sees it.
public struct Zone: Equatable, Sendable {
  public let name: String
  public let left: Double
  public let top: Double
  public let right: Double
  public let bottom: Double

  /// A rectangle with these sides; nil if it is empty, or not completely on the surface (0 to 1).
  public init?(name: String, left: Double, top: Double, right: Double, bottom: Double) {
    guard 0 <= left, left < right, right <= 1, 0 <= top, top < bottom, bottom <= 1 else { return nil }
    (self.name, self.left, self.top, self.right, self.bottom) = (name, left, top, right, bottom)
  }

  /// The cell of a grid; columns and rows are counted from 1 at the top left. Nil if the grid has no such cell.
  public init?(column: Int, row: Int, of grid: (columns: Int, rows: Int)) {
    guard 1...max(grid.columns, 1) ~= column, 1...max(grid.rows, 1) ~= row else { return nil }
    let (columns, rows) = (Double(grid.columns), Double(grid.rows))
    self.init(
      name: "\(column),\(row)", left: Double(column - 1) / columns, top: Double(row - 1) / rows,
      right: Double(column) / columns, bottom: Double(row) / rows)
  }

  /// The cell and its grid; nil for other zones.
  public var cell: (column: Int, row: Int, grid: (columns: Int, rows: Int))? {
    let place = name.split(separator: ",").compactMap { Int($0) }
    let parts = { (length: Double) in Int(min(1 / length, 1000).rounded()) }
    let grid = (columns: parts(right - left), rows: parts(bottom - top))
    guard place.count == 2, Zone(column: place[0], row: place[1], of: grid) == self else { return nil }
    return (place[0], place[1], grid)
  }

  /// The zones that every surface has: its two halves.
  public static let halves = [
    Zone(name: "left", left: 0, top: 0, right: 0.5, bottom: 1),
    Zone(name: "right", left: 0.5, top: 0, right: 1, bottom: 1),
  ].compactMap(\.self)

  /// The area as a part of the surface.
  public var area: Double { (right - left) * (bottom - top) }

  /// Whether a position is within the zone. A position on the line between two zones belongs to the right or lower one.
  public func contains(_ place: Gesture.Position) -> Bool {
    left <= place.x && top <= place.y && (place.x < right || right == 1) && (place.y < bottom || bottom == 1)
  }

  /// Whether both are the same part of the surface, regardless of their names.
  public func covers(_ other: Zone) -> Bool {
    left == other.left && top == other.top && right == other.right && bottom == other.bottom
  }

  /// Whether the two overlap and neither contains the other, so that a touch in both would be ambiguous.
  public func crosses(_ other: Zone) -> Bool {
    let width = min(right, other.right) - max(left, other.left)
    let height = min(bottom, other.bottom) - max(top, other.top)
    // Cells of different grids that share a corner overlap by less than this.
    guard width > 1e-9, height > 1e-9 else { return false }
    return !holds(other) && !other.holds(self)
  }

  /// Whether the other zone is completely within this one.
  public func holds(_ other: Zone) -> Bool {
    left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
  }
}
