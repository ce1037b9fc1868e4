package import Gestures

extension Vector {
  /// The cosine of the angle to `other`; 0 if one of the two has no direction.
  package func cosine(to other: Vector) -> Double {
    let lengths = (squared * other.squared).squareRoot()
    return lengths > 0 ? dot(other) / lengths : 0
  }

  package static prefix func - (a: Vector) -> Vector { Vector(-a.x, -a.y, -a.z) }

  /// The component along one of the three axes, 0 to 2.
  package subscript(axis: Int) -> Double {
    get { axis == 0 ? x : axis == 1 ? y : z }
    set {
      switch axis {
      case 0: x = newValue
      case 1: y = newValue
      default: z = newValue
      }
    }
  }
}
