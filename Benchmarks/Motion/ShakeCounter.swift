package import Gestures

/// An algorithm that says at which samples a device was shaken.
package protocol ShakeCounter {
  /// Takes the next sample; true where it completes a shake.
  mutating func counts(_ sample: AccelerationSample) -> Bool
}

extension ShakeRecognizer: ShakeCounter {
  package mutating func counts(_ sample: AccelerationSample) -> Bool { handle(sample) != nil }
}
