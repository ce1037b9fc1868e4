import Glibc
public import Linux
import Tallymark

/// The reason why a motion sensor has no values; a clause for the person who can fix it.
public enum SensorError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sensor was unplugged, or its driver was removed.
  case gone
  /// This process has no permission for the sensor.
  case denied(SystemError)
  /// Another program uses its buffer.
  case held
  /// The driver has no buffer, or a buffer without the trigger that it needs.
  case unbuffered
  /// Another program disabled the buffer.
  case switchedOff
  /// The program that used the buffer has released it.
  case released
  /// The sensor claims to measure, but sends no samples.
  case silent
  /// The sensor's attributes are invalid; the reason is a sentence.
  case senseless(String)
  /// The kernel refused for another reason.
  case failed(SystemError)

  init(_ error: SystemError) {
    switch error.code {
    case ENODEV, ENXIO: self = .gone
    case EACCES, EPERM: self = .denied(error)
    case EBUSY: self = .held
    default: self = .failed(error)
    }
  }

  /// Whether the sensor can still be polled.
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
      "another program uses its buffer, perhaps iio-sensor-proxy; fuser -v on its node tells which"
    case .released: "its buffer is free again"
    case .unbuffered: "it has no buffer that could be used"
    case .switchedOff: "another program switched its buffer off; it is switched on again"
    case .silent: "it gives no samples; it is switched off and on"
    case .senseless(let reason): "its driver's settings are not usable: \(reason)"
    case .failed(let error): error.description
    }
  }
}
