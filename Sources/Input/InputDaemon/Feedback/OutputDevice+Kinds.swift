import Bindings
import Gestures
import InputDevices
import Linux
import Tallymark

extension OutputDevice {
  /// An input device, for its wanted channels.
  convenience init(
    _ node: DeviceNode, _ channels: Set<Channel>, _ settings: FeedbackSettings, pulses: Set<Int32>
  ) throws(SystemError) {
    let path = node.path
    let light = node.light(settings)
    try self.init(name: "\(path) (\(CauseLabel.device(node.description.name)))", pulses: pulses) {
      () throws(DeviceError) in
      let device = try FeedbackDevice(path: path)
      var actuators: [Channel: any Actuator] = [:]
      if channels.contains(.vibration) { actuators[.vibration] = Motor(device: device) }
      if channels.contains(.tone) { actuators[.tone] = Buzzer(device: device) }
      if channels.contains(.light), let light { actuators[.light] = DeviceLight(device: device, code: light) }
      return actuators
    } mend: {
      guard case .denied(let denial) = NodeAccess(of: path, for: .feedback) else { return "" }
      return "\(denial.reason) To mend it: \(denial.remedy)"
    }
  }

  convenience init(light name: String) throws(SystemError) {
    try self.init(name: "The light \(CauseLabel.device(name))", pulses: []) { () throws(DeviceError) in
      [.light: KernelLight(light: try SystemLight(name: name))]
    } mend: {
      "To mend it: \(DeviceRules.remedy()); and for a person: sudo usermod -aG tallymark-input \"$USER\""
    }
  }
}
