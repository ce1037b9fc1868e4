package import Gestures
import InputDevices

/// Describes a device's reports in words: keys and contacts that appear or disappear. The movement of a finger is left
/// out.
package struct FrameText {
  private let reporting: TouchSurface.Reporting?
  private let x: DeviceDescription.Axis?
  private let y: DeviceDescription.Axis?
  private var slot: Int32 = 0
  private var contacts: [Int32: Contact] = [:]
  private var scan: Int32?
  /// The number of contacts that a surface without slots listed last.
  private var listed = 0

  private struct Contact {
    var isDown = false
    var x: Int32?
    var y: Int32?
    /// Changes within the frame, described at its end.
    var news: String?
  }

  package init(_ description: DeviceDescription) {
    if case .usable(let surface) = description.touch { reporting = surface.reporting } else { reporting = nil }
    x = description.axes[reporting == .single ? EventCode.ABS_X : EventCode.ABS_MT_POSITION_X]
    y = description.axes[reporting == .single ? EventCode.ABS_Y : EventCode.ABS_MT_POSITION_Y]
  }

  /// The lines for one frame; none for a frame with movements only.
  package mutating func lines(_ frame: Frame) -> [String] {
    var lines: [String] = []
    if frame.isResync { lines.append("the kernel dropped events; the present state:") }
    var list = 0
    for event in frame.events {
      switch (event.type, event.code) {
      case (EventCode.EV_ABS, _): takeAxis(event)
      case (4, 4): scan = event.value  // MSC_SCAN
      case (EventCode.EV_SYN, EventCode.SYN_MT_REPORT): list += 1
      case (EventCode.EV_KEY, EventCode.BTN_TOUCH): takeTouch(event.value != 0, into: &lines)
      case (EventCode.EV_KEY, let code) where EventCode.isTouchState(code) || event.value == 2: break
      case (EventCode.EV_KEY, let code): lines.append(key(code, isDown: event.value != 0))
      case (EventCode.EV_REL, 0), (EventCode.EV_REL, 1): break  // a mouse that moves
      case (EventCode.EV_REL, _), (5, _):
        lines.append("\(EvdevNames.name(type: event.type, code: event.code)) \(event.value)")
      default: break
      }
    }
    for number in contacts.keys.sorted() {
      guard let contact = contacts[number], let news = contact.news else { continue }
      lines.append("contact \(number) \(news)\(place(contact))")
      contacts[number]?.news = nil
    }
    if reporting == .typeA, list != listed, list > 0 {
      lines.append("\(list) \(list == 1 ? "contact" : "contacts")")
      listed = list
    }
    scan = nil
    return lines
  }

  private func key(_ code: UInt16, isDown: Bool) -> String {
    let name = EvdevKeys.name(of: code) ?? "key \(code)"
    let known = scan.map { " (scan code \(String(UInt32(bitPattern: $0), radix: 16)))" } ?? ""
    return "\(name) \(isDown ? "down" : "up")\(known)"
  }

  private mutating func takeAxis(_ event: InputEvent) {
    switch (reporting, event.code) {
    case (.typeB, EventCode.ABS_MT_SLOT): slot = event.value
    // 64 contacts are more than the fingers of several people. A higher number from a device is invalid.
    case (.typeB, EventCode.ABS_MT_TRACKING_ID) where (0..<64).contains(slot):
      let isDown = event.value >= 0
      if contacts[slot]?.isDown ?? false != isDown {
        contacts[slot, default: Contact()].news = isDown ? "lands" : "lifts"
      }
      contacts[slot, default: Contact()].isDown = isDown
    case (.typeB, EventCode.ABS_MT_POSITION_X) where (0..<64).contains(slot):
      contacts[slot, default: Contact()].x = event.value
    case (.typeB, EventCode.ABS_MT_POSITION_Y) where (0..<64).contains(slot):
      contacts[slot, default: Contact()].y = event.value
    case (.single, EventCode.ABS_X): contacts[0, default: Contact()].x = event.value
    case (.single, EventCode.ABS_Y): contacts[0, default: Contact()].y = event.value
    default: break
    }
  }

  private mutating func takeTouch(_ isDown: Bool, into lines: inout [String]) {
    switch reporting {
    case .single: contacts[0, default: Contact()].news = isDown ? "lands" : "lifts"
    case .typeA where !isDown:
      listed = 0
      lines.append("no contact")
    default: break
    }
  }

  private func place(_ contact: Contact) -> String {
    guard let x = Self.fraction(contact.x, of: x), let y = Self.fraction(contact.y, of: y) else { return "" }
    return " at \(BindingText.percent(x)), \(BindingText.percent(y))"
  }

  private static func fraction(_ value: Int32?, of axis: DeviceDescription.Axis?) -> Double? {
    guard let value, let axis, axis.maximum > axis.minimum else { return nil }
    return (Double(value) - Double(axis.minimum)) / (Double(axis.maximum) - Double(axis.minimum))
  }
}
