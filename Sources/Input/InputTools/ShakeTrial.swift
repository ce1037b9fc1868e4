package import Gestures

/// A person's shakes, measured and judged by every sensitivity.
package struct ShakeTrial {
  /// One shake, and the sensitivities by which it counts.
  package struct Result: Equatable {
    package let measure: ShakeMeter.Measure
    package let counting: [ShakeParameters.Sensitivity]

    package init(measure: ShakeMeter.Measure, counting: [ShakeParameters.Sensitivity]) {
      self.measure = measure
      self.counting = counting
    }
  }

  package private(set) var results: [Result] = []
  private var meter = ShakeMeter()
  private var recognizers = ShakeParameters.Sensitivity.allCases.map { ($0, ShakeRecognizer(parameters: .init($0))) }
  private var counting: [ShakeParameters.Sensitivity] = []

  /// The smallest number of strokes.
  private static let leastStrokes = 3
  /// The smallest strength of strokes, in m/s². Weaker motion is that of a hand that holds a device.
  private static let leastStrength = 3.5

  package init() {}

  /// Adds the next sample; returns the result of a shake once it is over.
  package mutating func take(_ sample: AccelerationSample) -> Result? {
    for index in recognizers.indices where recognizers[index].1.handle(sample) != nil {
      if !counting.contains(recognizers[index].0) { counting.append(recognizers[index].0) }
    }
    guard let measure = meter.take(sample) else { return nil }
    defer { counting = [] }
    guard !counting.isEmpty || measure.strokes >= Self.leastStrokes && measure.strength >= Self.leastStrength else {
      return nil
    }
    let result = Result(measure: measure, counting: counting)
    results.append(result)
    return result
  }

  package mutating func cancel() {
    for index in recognizers.indices { recognizers[index].1.cancel() }
    (meter, counting) = (ShakeMeter(), [])
  }

  /// One shake, compared with the default thresholds.
  package static func text(_ result: Result, number: Int) -> String {
    let (measure, firm) = (result.measure, ShakeParameters.firm)
    let limit = { (name: String) in plain(firm[name] ?? 0) }
    let counts =
      result.counting.isEmpty
      ? "does not count" : "counts if \(result.counting.map(\.rawValue).joined(separator: ", "))"
    return """
      \(number): \(measure.strokes) strokes (\(limit("strokes")) are needed), \(plain(measure.strength)) m/s² on average \
      (\(limit("strength"))), the weakest \(plain(measure.weakest)) (\(limit("weakest"))), one stroke every \
      \(plain(measure.strokeTime)) s (\(limit("shortest-stroke")) to \(limit("longest-stroke"))): \(counts)
      """
  }

  /// The recommended settings: these shakes count, and as little other motion as possible.
  package static func advice(_ results: [Result]) -> String {
    // The firmest sensitivity comes first, because it is the least likely to count other motion.
    let best = ShakeParameters.Sensitivity.allCases.reversed().first { sensitivity in
      results.allSatisfy { $0.counting.contains(sensitivity) }
    }
    let margin = best.map { sensitivity in
      let least = ShakeParameters(sensitivity)["strength"] ?? 0
      return results.allSatisfy { $0.measure.strength >= 1.25 * least }
    }
    switch (best, margin) {
    case (.firm?, _), (.hard?, false?): return "The default, firm, fits. Nothing needs to be set."
    case (.hard?, _): return "You shake hard enough for:\n[shake]\nsensitivity = \"hard\""
    case (.light?, _): return "Not all of them count by the default. Set:\n[shake]\nsensitivity = \"light\""
    case (nil, _):
      let weakest = results.map(\.measure.strength).min() ?? 0
      guard weakest >= 4.5, results.allSatisfy({ $0.measure.strokes >= 4 }) else {
        return "Some of these shakes cannot be distinguished from other motion. Shake more firmly, back and forth."
      }
      let strength = plain(weakest * 0.8)
      let each = plain(max(2, (results.map(\.measure.weakest).min() ?? 0) * 0.7))
      return "Not all of them count even if light. Set:\n[shake]\nstrength = \(strength)\nweakest = \(each)"
    }
  }

  private static func plain(_ number: Double) -> String {
    guard abs(number) < 1e6 else { return String(number) }
    let digits = abs(number) < 1 ? 1000.0 : 10
    let rounded = (number * digits).rounded() / digits
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
