public import Gestures

/// What somebody set about shakes, for all motion sensors or for one; all else stays as it is.
public struct ShakeChanges: Equatable, Sendable {
  public internal(set) var sensitivity: ShakeParameters.Sensitivity?
  /// The parameters that were set, by name (`ShakeParameters.names`).
  public internal(set) var values: [String: Double] = [:]

  /// Nothing is set.
  public init() {}

  public var isEmpty: Bool { sensitivity == nil && values.isEmpty }

  /// The parameters with these changes made. What is set by name holds whatever the sensitivity says.
  public func applied(to parameters: ShakeParameters) -> ShakeParameters {
    var parameters = parameters
    if let sensitivity { parameters.set(sensitivity) }
    // What is refused was refused when it was read.
    for (name, value) in values { try? parameters.set(name, to: value) }
    return parameters
  }
}
