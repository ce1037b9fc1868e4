import Bindings
import Gestures
import InputDevices
import Platform

extension Outlet {
  /// An input device, for what it is wanted for.
  convenience init(
    _ node: DeviceNode, _ channels: Set<Channel>, _ settings: FeedbackSettings, pulses: Set<Int32>
  ) throws(SystemError) {
    let path = node.path
    let light = node.light(settings)
    try self.init(name: "\(path) (\(CauseText.device(node.description.name)))", pulses: pulses) {
      () throws(DeviceError) in
      let device = try FeedbackDevice(path: path)
      var instruments: [Channel: any Instrument] = [:]
      if channels.contains(.vibration) { instruments[.vibration] = Motor(device: device) }
      if channels.contains(.tone) { instruments[.tone] = Buzzer(device: device) }
      if channels.contains(.light), let light { instruments[.light] = DeviceLight(device: device, code: light) }
      return instruments
    } mend: {
      guard case .denied(let obstacle) = NodeAccess(of: path, for: .feedback) else { return "" }
      return "\(obstacle.reason) To mend it: \(obstacle.remedy)"
    }
  }

  /// A light of the kernel's.
  convenience init(light name: String) throws(SystemError) {
    try self.init(name: "The light \(CauseText.device(name))", pulses: []) { () throws(DeviceError) in
      [.light: KernelLight(light: try SystemLight(name: name))]
    } mend: {
      "To mend it: \(DeviceRules.remedy()); and for a person: sudo usermod -aG tallymark-input \"$USER\""
    }
  }
}
