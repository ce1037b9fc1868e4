import Glibc
import Linux
import Synchronization

/// Prepares a sensor for reading, and returns the settings in force.
struct SensorPreparation {
  let folder: SensorFolder

  /// Sets the rate that shakes need; returns the rate in force, if the sensor states it.
  func setRate() throws(SensorError) -> Double? {
    guard let name = folder.attribute(AccelerationFormat.axes[0], "sampling_frequency") else { return nil }
    let current = folder.read(name).flatMap { Double($0) }
    let available = folder.attribute(AccelerationFormat.axes[0], "sampling_frequency_available").flatMap(folder.read)
    let wanted = available.flatMap { SensorSettings.rate(among: $0) } ?? SensorSettings.wantedRate
    guard current != wanted else { return current }
    do throws(SystemError) {
      try folder.write(name, text(wanted))
    } catch {
      // Keeps the present rate, unless it is 0: some drivers start at 0 Hz and send nothing.
      guard let current, current > 0 else { throw SensorError(error) }
    }
    return folder.read(name).flatMap { Double($0) }
  }

  /// Sets the range that shakes need, if the driver has several. A failure is ignored.
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

  /// Selects the clock of gestures for samples; returns whether that succeeded. Older kernels only have the wall clock.
  func setClock() -> Bool {
    try? folder.set("current_timestamp_clock", "boottime")
    return folder.read("current_timestamp_clock") == "boottime"
  }

  /// Enables the channels of an accelerometer and the stamp, and disables all others.
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

  /// Selects the trigger that makes the sensor measure: a driver's trigger is named after its device.
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

  /// The rate as text. An empty fraction is left out, because some drivers refuse it.
  private func text(_ rate: Double) -> String {
    rate == rate.rounded() && abs(rate) < 1e9 ? String(Int64(rate)) : String(rate)
  }
}

/// Enables a sensor's buffer as long as this object lives, and at most as long as the process: an enabled sensor drains
/// a battery, and is unavailable to others.
final class SensorSwitch {
  private static let on = Mutex<[ObjectIdentifier: SensorFolder]>([:])
  /// Disables the buffers at exit, because `exit`, for example after a closed pipe, deallocates no objects.
  private static let registration: Void = { _ = atexit { SensorSwitch.switchAllOff() } }()

  private let folder: SensorFolder

  /// Enables the buffer.
  init(_ folder: SensorFolder) throws(SensorError) {
    self.folder = folder
    do throws(SystemError) { try folder.write("buffer/enable", "1") } catch {
      throw error.code == EINVAL ? .unbuffered : SensorError(error)
    }
    Self.registration
    Self.on.withLock { $0[ObjectIdentifier(self)] = folder }
  }

  deinit {
    _ = Self.on.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    Self.switchOff(folder)
  }

  private static func switchAllOff() {
    for folder in on.withLock({ $0.values }) { switchOff(folder) }
  }

  private static func switchOff(_ folder: SensorFolder) { try? folder.write("buffer/enable", "0") }
}
