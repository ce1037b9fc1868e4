import JSON
import Linux

/// The devices that may count, and the codes that pair further ones.
///
/// Only proofs of codes and of the devices' keys are kept (`Secret`). Times are in microseconds since 1970.
public struct PairedDevices: Sendable, Equatable {
  public private(set) var devices: [Device] = []
  private var codes: [Code] = []
  /// The times of the last attempts to pair with a wrong code.
  private var tries: [Int64] = []

  public struct Device: Sendable, Equatable {
    public let id: String
    /// The name, as shown in the history.
    public let name: String
    public let paired: Int64
    /// Whether the device may also set up counters and groups.
    public let maySetUp: Bool
    fileprivate let proof: String

    /// The producer of the counts of this device's pages of one origin. A browser has one cookie for both schemes of a host
    /// and port, but a queue of counts for each origin.
    public func producer(at origin: String) -> String {
      "tally-board/\(id)/\(String(FNV1a.hash(origin.utf8), radix: 16))"
    }
  }

  private struct Code: Equatable {
    let proof: String
    let until: Int64
    let isForSetup: Bool
  }

  /// The reason why a device is not paired.
  public enum Refusal: Error, Equatable, Sendable {
    /// The code was never issued, or is used up or expired.
    case unknownCode
    case tooManyTries
    case tooManyDevices
    case badName
  }

  /// The time for which a code is valid, in microseconds.
  public static let patience: Int64 = 5 * 60 * 1_000_000
  private static let mostDevices = 100
  private static let mostCodes = 10
  /// The wrong codes of all clients per minute. Right codes do not count, so that a stranger cannot block them.
  private static let triesPerMinute = 5
  private static let longestName = 64

  public init() {}

  /// Keeps a new code.
  ///
  /// - Parameter isForSetup: whether the device may also set up counters and groups.
  public mutating func offer(proof: String, isForSetup: Bool = false, now: Int64) {
    codes =
      codes.filter { $0.until > now }.suffix(Self.mostCodes - 1) + [
        Code(proof: proof, until: now + Self.patience, isForSetup: isForSetup)
      ]
  }

  /// Pairs a device, and uses up the code.
  ///
  /// - Parameters:
  ///   - code: the proof of the code that the device presents.
  ///   - id: a new, unique name for the device.
  ///   - proof: the proof of the device's new key.
  public mutating func pair(
    code: String, id: String, proof: String, name: String, now: Int64
  ) throws(Refusal) -> Device {
    guard let place = codes.firstIndex(where: { $0.proof == code && $0.until > now }) else {
      // A clock that was set back forgets earlier attempts.
      tries = tries.filter { 0 <= now - $0 && now - $0 < 60_000_000 }
      guard tries.count < Self.triesPerMinute else { throw .tooManyTries }
      tries.append(now)
      throw .unknownCode
    }
    guard let name = Self.sound(name) else { throw .badName }
    guard devices.count < Self.mostDevices else { throw .tooManyDevices }
    let code = codes.remove(at: place)
    let device = Device(id: id, name: name, paired: now, maySetUp: code.isForSetup, proof: proof)
    devices.append(device)
    return device
  }

  /// A valid device name; `nil` for text that is empty, too long or contains control characters.
  private static func sound(_ name: String) -> String? {
    let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
      default: true
      }
    }
    return name.isEmpty || name.utf8.count > longestName || !isPlain ? nil : name
  }

  /// The device with that ID and proof of its key.
  public func device(_ id: String, proof: String) -> Device? {
    devices.first { $0.id == id && $0.proof == proof }
  }

  /// Removes a device; returns whether there was one.
  public mutating func revoke(_ id: String) -> Bool {
    guard let place = devices.firstIndex(where: { $0.id == id }) else { return false }
    devices.remove(at: place)
    return true
  }

  // MARK: On disk

  /// The devices as text. Codes are not kept.
  public var text: String {
    let list = devices.map { device in
      JSON.object([
        "id": .string(device.id), "name": .string(device.name), "paired": .int(device.paired),
        "setup": .bool(device.maySetUp), "proof": .string(device.proof),
      ])
    }
    return EncodedObject(["devices": .array(list)]).description + "\n"
  }

  /// Parses the output of ``text``; `nil` for any other text.
  public init?(text: String) {
    guard let members = try? JSON(parsing: text).object, let list = members["devices"]?.array else { return nil }
    for entry in list {
      guard let entry = entry.object, let id = entry["id"]?.string, let name = entry["name"]?.string,
        let paired = entry["paired"]?.int, let proof = entry["proof"]?.string
      else { return nil }
      devices.append(
        Device(id: id, name: name, paired: paired, maySetUp: entry["setup"]?.bool ?? false, proof: proof))
    }
  }
}
