public import Gestures

/// Shake settings of a configuration, for all motion sensors or for one; absent ones keep their value.
public struct ShakeChanges: Equatable, Sendable {
  public internal(set) var sensitivity: ShakeParameters.Sensitivity?
  /// The parameters that were set, by name (`ShakeParameters.names`).
  public internal(set) var values: [String: Double] = [:]

  /// Names of former parameters that are set, without effect (`ShakeParameters.formerNames`).
  public internal(set) var former: [String] = []

  /// Nothing is set.
  public init() {}

  public var isEmpty: Bool { sensitivity == nil && values.isEmpty && former.isEmpty }

  /// A sentence for each setting without effect.
  var warnings: [String] {
    former.map { "the setting \($0) of shakes has no effect any more and can be deleted" }
  }

  /// Returns the parameters with these changes. Values that are set by name override the sensitivity.
  public func applied(to parameters: ShakeParameters) -> ShakeParameters {
    var parameters = parameters
    if let sensitivity { parameters.set(sensitivity) }
    // Invalid values were refused when the file was read.
    for (name, value) in values { try? parameters.set(name, to: value) }
    return parameters
  }
}
