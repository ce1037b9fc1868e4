public import Gestures

/// Shake settings of a configuration, for all motion sensors or for one; absent ones keep their value.
public struct ShakeChanges: Equatable, Sendable {
  public internal(set) var sensitivity: ShakeParameters.Sensitivity?
  /// The parameters that were set, by name (`ShakeParameters.names`).
  public internal(set) var values: [String: Double] = [:]

  /// No changes.
  public init() {}

  public var isEmpty: Bool { sensitivity == nil && values.isEmpty }

  /// Returns the parameters with these changes. Values that are set by name override the sensitivity.
  public func applied(to parameters: ShakeParameters) -> ShakeParameters {
    var parameters = parameters
    if let sensitivity { parameters.set(sensitivity) }
    // Invalid values were refused when the file was read.
    for (name, value) in values { try? parameters.set(name, to: value) }
    return parameters
  }
}
