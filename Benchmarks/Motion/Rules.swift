import Gestures

/// The rules that are compared, by name; each is handed out as if it had never seen a sample.
package enum Rules {
  package static let ours = "tallymark, firm"

  package static let all: [(name: String, rule: any ShakeCounter & Sendable)] = [
    (ours, ShakeRecognizer()),
    ("tallymark, light", ShakeRecognizer(parameters: .light)),
    ("tallymark, hard", ShakeRecognizer(parameters: .hard)),
    ("swing chain, 12 m/s²", SwingChain()),
    ("seismic, 13 m/s²", Seismic(threshold: 13)),
    ("seismic, 15 m/s²", Seismic(threshold: 15)),
    ("React Native", SignChanges()),
    ("Firefox, 2 g", DominantAxis(isLinear: false)),
    ("Firefox, 2 g, no gravity", DominantAxis(isLinear: true)),
    ("shake.js, 15 m/s²", SampleDifference()),
    ("tbouron, 2 m/s²", SixDirections()),
    ("magnitude, 2.7 g", Magnitude()),
  ]
}
