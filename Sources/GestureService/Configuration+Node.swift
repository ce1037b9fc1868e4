import Bindings
import Gestures
import InputDevices

extension Configuration {
  /// Whether a device that is not open is to be used, as far as that can be told: sysfs does not say how far its axes
  /// reach, so they are taken to be sound until it is open.
  func use(of node: DeviceNode) -> Use {
    var description = node.description
    for code in description.codes[EventCode.absolute] ?? [] {
      description.axes[code] = DeviceDescription.Axis(minimum: 0, maximum: 1)
    }
    return rule(for: description)
  }
}
