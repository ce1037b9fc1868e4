/// The energy of a motion by direction: the sums of the products of its components.
struct Spread {
  private var xx = 0.0
  private var yy = 0.0
  private var zz = 0.0
  private var xy = 0.0
  private var yz = 0.0
  private var zx = 0.0

  mutating func add(_ v: Vector) {
    xx += v.x * v.x
    yy += v.y * v.y
    zz += v.z * v.z
    xy += v.x * v.y
    yz += v.y * v.z
    zx += v.z * v.x
  }

  /// Moves an average of such energies by a part of the way towards that of one motion.
  mutating func approach(_ v: Vector, by part: Double) {
    xx += (v.x * v.x - xx) * part
    yy += (v.y * v.y - yy) * part
    zz += (v.z * v.z - zz) * part
    xy += (v.x * v.y - xy) * part
    yz += (v.y * v.z - yz) * part
    zx += (v.z * v.x - zx) * part
  }

  var all: Double { xx + yy + zz }

  /// The strength of an even swinging with so much energy, as a mean of its steps.
  static func strength(of energy: Double) -> Double { (2 * energy).squareRoot() }

  /// The same of all its energy.
  var strength: Double { Self.strength(of: all) }

  /// What lies along a direction of length 1.
  func along(_ v: Vector) -> Double {
    let squares = xx * v.x * v.x + yy * v.y * v.y + zz * v.z * v.z
    return squares + 2 * (xy * v.x * v.y + yz * v.y * v.z + zx * v.z * v.x)
  }

  static func - (a: Spread, b: Spread) -> Spread {
    var difference = a
    difference.xx -= b.xx
    difference.yy -= b.yy
    difference.zz -= b.zz
    difference.xy -= b.xy
    difference.yz -= b.yz
    difference.zx -= b.zx
    return difference
  }
}
