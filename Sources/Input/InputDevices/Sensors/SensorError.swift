import Glibc
public import Linux
import Tallymark

/// Why a motion sensor gives nothing (any more); a sentence's worth for the person who can mend it.
public enum SensorError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It was unplugged, or its driver was.
  case gone
  /// This process may not do this with it.
  case denied(SystemError)
  /// Another program uses its buffer.
  case held
  /// Its driver has no buffer, or none without a trigger, which there is none of.
  case unbuffered
  /// Another program switched its buffer off.
  case switchedOff
  /// The program that used its buffer is done with it.
  case released
  /// It says that it measures, and gives no samples.
  case silent
  /// The sensor's attributes make no sense; the reason is a sentence.
  case senseless(String)
  /// The kernel refused for another reason.
  case failed(SystemError)

  /// Sorts what the kernel answered.
  init(_ error: SystemError) {
    switch error.code {
    case ENODEV, ENXIO: self = .gone
    case EACCES, EPERM: self = .denied(error)
    case EBUSY: self = .held
    default: self = .failed(error)
    }
  }

  /// Whether the sensor can still be asked for its values one by one.
  var leavesValues: Bool {
    switch self {
    case .held, .unbuffered, .denied: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .gone: "the sensor is gone"
    case .denied(let error):
      """
      \(error). To mend it: \(DeviceRules.remedy()); and for a person: \
      sudo usermod -aG tallymark-input "$USER"
      """
    case .held:
      "another program uses its buffer, which is left alone (perhaps iio-sensor-proxy; fuser -v on its node tells)"
    case .released: "its buffer is free again"
    case .unbuffered: "it has no buffer that could be used"
    case .switchedOff: "another program switched its buffer off; it is switched on again"
    case .silent: "it gives no samples; it is switched off and on"
    case .senseless(let reason): "what its driver says cannot be used: \(reason)"
    case .failed(let error): error.description
    }
  }
}
