extension ShakeParameters {
  /// The reason why a parameter was not set.
  public enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
    case unknown(name: String)
    case outOfRange(name: String, range: ClosedRange<Double>)
    case notWhole(name: String)

    public var description: String {
      switch self {
      case .unknown(let name):
        "there is no parameter of a shake \"\(name)\"; there are \(ShakeParameters.names.joined(separator: ", "))"
      case .outOfRange(let name, let range):
        "\(name) must be from \(range.lowerBound) to \(range.upperBound)"
      case .notWhole(let name): "\(name) must be a whole number"
      }
    }
  }

  private typealias Number = WritableKeyPath<ShakeParameters, Double> & Sendable

  private static let numbers: [(name: String, number: any Number, range: ClosedRange<Double>)] = [
    ("strength", \.strength, 3...100),
    ("weakest", \.weakest, 2...100),
    ("strokes", \.strokesAsNumber, 3...8),
    ("shortest-stroke", \.shortestStroke, 0.03...0.5),
    ("longest-stroke", \.longestStroke, 0.05...1),
    ("roundness", \.roundness, 0...10),
    ("prominence", \.prominence, 0...10),
    ("rest", \.rest, 0.05...10),
    ("after-vibration", \.afterVibration, 0...10),
  ]

  /// The parameters' names, as configurations write them.
  public static let names: [String] = numbers.map(\.name)

  /// The value of the parameter with this name; nil for an unknown name.
  public subscript(name: String) -> Double? {
    Self.numbers.first { $0.name == name }.map { self[keyPath: $0.number] }
  }

  /// Sets the parameter with this name.
  public mutating func set(_ name: String, to value: Double) throws(Problem) {
    guard let (_, number, range) = Self.numbers.first(where: { $0.name == name }) else {
      throw .unknown(name: name)
    }
    guard range.contains(value) else { throw .outOfRange(name: name, range: range) }
    guard name != "strokes" || value == value.rounded() else { throw .notWhole(name: name) }
    self[keyPath: number] = value
  }

  /// The number of strokes as a floating-point number, like the other parameters.
  private var strokesAsNumber: Double {
    get { Double(strokes) }
    set { strokes = Int(newValue) }
  }
}
