import Glibc
import Linux

/// Gets a sensor ready to be read, and gives what was found out on the way.
struct SensorPreparation {
  let folder: SensorFolder

  /// Raises the rate to what a shake needs; gives the one that applies then, where it is told.
  func setRate() throws(SensorError) -> Double? {
    guard let name = folder.attribute(AccelerationFormat.axes[0], "sampling_frequency") else { return nil }
    let current = folder.read(name).flatMap { Double($0) }
    let available = folder.attribute(AccelerationFormat.axes[0], "sampling_frequency_available").flatMap(folder.read)
    let wanted = available.flatMap { SensorSettings.rate(among: $0) } ?? SensorSettings.wantedRate
    guard current != wanted else { return current }
    do throws(SystemError) {
      try folder.write(name, text(wanted))
    } catch {
      // It is what it is, unless it is nothing: some drivers begin with 0 Hz and give nothing then.
      guard let current, current > 0 else { throw SensorError(error) }
    }
    return folder.read(name).flatMap { Double($0) }
  }

  /// Widens the range to what a shake needs, where the driver has a choice. What cannot be had is done without.
  func setRange() {
    for axis in AccelerationFormat.axes {
      guard let name = folder.attribute(axis, "scale"), let current = folder.read(name),
        let available = folder.attribute(axis, "scale_available").flatMap(folder.read),
        let element = folder.read("scan_elements/\(axis)_type").flatMap({ try? ScanElement($0) }),
        let scale = SensorSettings.scale(among: available, current: current, element: element)
      else { continue }
      try? folder.write(name, scale)
    }
  }

  /// Whether samples will be stamped on the clock of gestures. Older kernels know no other clock than that of the day.
  func setClock() -> Bool {
    try? folder.set("current_timestamp_clock", "boottime")
    return folder.read("current_timestamp_clock") == "boottime"
  }

  /// Switches on the channels of an accelerometer and the stamp, and all others off.
  func setChannels() throws(SensorError) {
    do throws(SystemError) {
      for name in folder.names(in: "scan_elements") where name.hasSuffix("_en") {
        let isWanted = (AccelerationFormat.axes + ["in_timestamp"]).contains(String(name.dropLast(3)))
        try folder.set("scan_elements/\(name)", isWanted ? "1" : "0")
      }
    } catch {
      throw SensorError(error)
    }
  }

  /// The layout of the enabled channels.
  func format() throws(SensorError) -> AccelerationFormat {
    let scales = try folder.scales()
    do throws(ScanElement.Problem) {
      return try AccelerationFormat(layout: layout(), scales: scales)
    } catch {
      throw .senseless(error.description)
    }
  }

  private func layout() throws(ScanElement.Problem) -> ScanLayout {
    var channels: [ScanLayout.Channel] = []
    for file in folder.names(in: "scan_elements") where file.hasSuffix("_en") {
      guard folder.read("scan_elements/\(file)") == "1" else { continue }
      let name = String(file.dropLast(3))
      guard let type = folder.read("scan_elements/\(name)_type"),
        let index = folder.read("scan_elements/\(name)_index").flatMap({ Int($0) })
      else { throw .init("it does not say how \(name) is laid out") }
      channels.append(.init(name: name, index: index, element: try ScanElement(type)))
    }
    return try ScanLayout(channels)
  }

  /// Sees to it that something makes the sensor measure: a driver's own trigger is named after its device.
  func setTrigger() throws(SensorError) {
    let file = "trigger/current_trigger"
    guard folder.has(file), folder.read(file)?.isEmpty != false else { return }
    let devices = folder.path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    let name = folder.read("name") ?? ""
    let number = folder.path.reversed().prefix { $0.isNumber }.reversed().map(String.init).joined()
    let wanted = ["\(name)-dev\(number)", "\(name)-trigger", "\(name)-trigger\(number)"]
    for entry in FolderContent.names(in: devices) where entry.hasPrefix("trigger") {
      guard let trigger = SensorFolder("\(devices)/\(entry)").read("name"), wanted.contains(trigger) else { continue }
      do throws(SystemError) {
        return try folder.write(file, trigger)
      } catch {
        throw SensorError(error)
      }
    }
  }

  /// Without a fraction where there is none: some drivers take no other.
  private func text(_ rate: Double) -> String {
    rate == rate.rounded() && abs(rate) < 1e9 ? String(Int64(rate)) : String(rate)
  }
}
