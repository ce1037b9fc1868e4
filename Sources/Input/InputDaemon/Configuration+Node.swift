package import Bindings
import Gestures
package import InputDevices

extension Configuration {
  /// The use of a device that is not open. The ranges of its axes are not in sysfs, and are assumed to be valid until
  /// the device is open.
  package func use(of node: DeviceNode) -> Use {
    var description = node.description
    for code in description.codes[EventCode.EV_ABS] ?? [] {
      description.axes[code] = DeviceDescription.Axis(minimum: 0, maximum: 1)
    }
    return rule(for: description)
  }

  /// The uses of all devices. Several motion sensors of one machine measure the same shake, so only one sensor per rule
  /// is used. The sensor in the lid is preferred, because typing shakes the sensor in the base.
  package func uses(of nodes: [DeviceNode]) -> [Use] {
    var uses = nodes.map { use(of: $0) }
    var chosen: [(source: AppliedRule.Source, index: Int)] = []
    for index in nodes.indices where nodes[index].description.isSensor {
      guard case .used(let rule) = uses[index] else { continue }
      guard let place = chosen.firstIndex(where: { $0.source == rule.source }) else {
        chosen.append((rule.source, index))
        continue
      }
      let other = chosen[place].index
      let isBetter = nodes[index].description.sensorRank < nodes[other].description.sensorRank
      let (best, worse) = isBetter ? (index, other) : (other, index)
      chosen[place].index = best
      uses[worse] = .unused(.otherSensor(nodes[best].path))
    }
    return uses
  }
}

extension DeviceDescription {
  /// The order in which sensors are preferred, by the labels of the kernel's documentation (`accel-display`,
  /// `accel-camera`, `accel-base`) and the older locations (`display`, `lid`, `base`).
  fileprivate var sensorRank: Int {
    switch label {
    case "accel-display", "display", "lid": 0
    case "accel-camera", "camera": 2
    case "accel-base", "base": 3
    default: 1
    }
  }
}
