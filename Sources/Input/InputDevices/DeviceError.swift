import Glibc
public import Linux

/// Why a device cannot be read (any more).
public enum DeviceError: Error, Equatable, CustomStringConvertible {
  /// It was unplugged, or switched off, or went out of range.
  case gone
  /// This process may not open it (yet: udev gives the permission some time after the node appears).
  case denied(SystemError)
  /// The kernel refused for another reason.
  case failed(SystemError)

  /// Sorts what the kernel answered.
  init(_ error: SystemError) {
    switch error.code {
    case ENODEV, ENOENT, ENXIO: self = .gone
    case EACCES, EPERM: self = .denied(error)
    default: self = .failed(error)
    }
  }

  public var description: String {
    switch self {
    case .gone: "the device is gone"
    case .denied(let error), .failed(let error): error.description
    }
  }
}
