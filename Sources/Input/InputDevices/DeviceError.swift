import Glibc
public import Linux

/// The reason why a device cannot be read, or not any more.
public enum DeviceError: Error, Equatable, CustomStringConvertible {
  /// The device was unplugged, switched off, or is out of range.
  case gone
  /// This process has no permission to open the device, perhaps not yet: udev sets it some time after the node appears.
  case denied(SystemError)
  /// The kernel refused for another reason.
  case failed(SystemError)

  /// Classifies an error of the kernel.
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
