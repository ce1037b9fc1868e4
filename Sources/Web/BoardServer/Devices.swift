import Board
import Glibc
import Linux
import NIOHTTP1

/// The paired devices, with the file that keeps them. Used by the thread of the server's loop only.
final class Devices {
  private var devices = PairedDevices()
  private let path: String?
  /// The number of counts that each device has left in this second.
  private var allowances: [String: (second: Int64, rest: Int)] = [:]

  private static let countsPerSecond = 30
  private static let longestFile = 1 << 20

  /// Loads the devices. Renames a damaged file and begins without devices, which can be paired again.
  ///
  /// - Parameter path: the file that keeps the devices; `nil` to keep them as long as this process runs.
  /// - Throws: the kernel's error.
  init(path: String?) throws(SystemError) {
    self.path = path
    guard let path else { return }
    let content: [UInt8]
    do throws(SystemError) {
      content = try FileContent.read(path, upTo: Self.longestFile)
    } catch {
      guard error.code == ENOENT else { throw error }
      return
    }
    if content.count <= Self.longestFile, let found = PairedDevices(text: String(decoding: content, as: UTF8.self)) {
      devices = found
    } else {
      try setAside(path)
    }
  }

  private func setAside(_ path: String) throws(SystemError) {
    let kept = "\(path).damaged"
    guard rename(path, kept) == 0 else { throw .current("rename the damaged file \(path)") }
    ServiceProcess.log(
      .warning,
      "The paired devices in \(path) were damaged; the file is now \(kept). Pair the devices again: tally-board pair")
  }

  var all: [PairedDevices.Device] { devices.devices }

  /// A new code, valid once and for five minutes.
  func offer(isForSetup: Bool) throws(SystemError) -> Secret {
    let code = try Secret()
    devices.offer(proof: try code.proof, isForSetup: isForSetup, now: Clock.microsecondsSince1970())
    return code
  }

  /// Pairs a device; returns the response with the new key.
  func pair(code: String, name: String, origin: String) -> Routes.Content {
    do {
      let (key, id) = (try Secret(), try Secret())
      let proof = try key.proof
      // A malformed code is an attempt as well.
      let code = try Secret(code)?.proof ?? ""
      var changed = devices
      let device: PairedDevices.Device
      do throws(PairedDevices.Refusal) {
        device = try changed.pair(
          code: code, id: String(id.text.prefix(12)), proof: proof, name: name,
          now: Clock.microsecondsSince1970())
      } catch {
        devices = changed
        return .refused(error)
      }
      try save(changed)
      devices = changed
      ServiceProcess.log(
        .notice, "“\(device.name)” is paired and may \(device.maySetUp ? "count and set up" : "count").")
      return .paired(device, key: key.text, origin: origin)
    } catch {
      ServiceProcess.log(.error, "A device could not be paired: \(error).")
      return .noCore
    }
  }

  /// Removes a device's right to count; returns whether there was one.
  func revoke(_ id: String) throws(SystemError) -> Bool {
    var changed = devices
    guard changed.revoke(id) else { return false }
    try save(changed)
    devices = changed
    return true
  }

  /// The device that a request's cookies name.
  func device(of request: HTTPRequestHead) -> PairedDevices.Device? {
    let host = request.headers["Host"].first ?? ""
    guard let cookie = DeviceCookie(request.headers["Cookie"], host: host), let proof = try? Secret(cookie.key)?.proof
    else { return nil }
    return devices.device(cookie.id, proof: proof)
  }

  /// Counts one change of a device; returns whether it is allowed now.
  func allow(_ device: PairedDevices.Device) -> Bool {
    let second = Clock.boottime() / 1_000_000_000
    var allowance = allowances[device.id] ?? (second, Self.countsPerSecond)
    if allowance.second != second { allowance = (second, Self.countsPerSecond) }
    allowance.rest -= 1
    allowances[device.id] = allowance
    return allowance.rest >= 0
  }

  private func save(_ devices: PairedDevices) throws(SystemError) {
    guard let path else { return }
    try FileContent.replace(path, with: Array(devices.text.utf8), mode: 0o600)
  }
}
