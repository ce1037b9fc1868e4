import CoreAPI
import JSON
import Linux

/// One line of a ``Spool``: a delivery that waits, or one that was acknowledged.
///
///     +1 9ae16a3b2f90404f {"epoch":3,"sequence":7,"identity":"…","changes":[…]}
///
/// | bytes   | content                                                                    |
/// |---------|----------------------------------------------------------------------------|
/// | 0       | `+` waits, `-` acknowledged; stored last, see ``Spool``                    |
/// | 1..<3   | version of the format and a space                                          |
/// | 3..<20  | checksum of the object (FNV-1a, 64 bits, 16 hexadecimal digits), a space   |
/// | 20...   | a JSON object, then a line feed                                            |
///
/// An acknowledged delivery is kept only for its identity and time, and may have nothing else.
enum SpoolLine: Equatable {
  case waiting(DeliveryQueue.Entry)
  case seen(DeduplicationLog.Entry)
  /// An acknowledged delivery without an identity.
  case nothing

  static let waits = UInt8(ascii: "+")
  static let acknowledged = UInt8(ascii: "-")
  private static let version = Array("1 ".utf8)
  private static let checksumLength = 16

  // MARK: Writing

  /// The line without its first byte.
  static func body(of entry: DeliveryQueue.Entry) -> [UInt8] {
    body(
      EncodedObject { object in
        object.add("epoch", entry.number?.epoch)
        object.add("sequence", entry.number?.sequence)
        entry.delivery.write(to: &object)
      })
  }

  /// The line without its first byte.
  static func body(of seen: DeduplicationLog.Entry) -> [UInt8] {
    body(
      EncodedObject { object in
        object.add("identity", seen.identity)
        object.add("time", seen.time)
      })
  }

  private static func body(_ object: EncodedObject) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(object.count + 20)
    line += version
    line += checksum(object.bytes[...])
    line.append(UInt8(ascii: " "))
    line += object.bytes
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let hash = FNV1a.hash(bytes)
    return (1...checksumLength).map { place in
      let digit = UInt8(truncatingIfNeeded: hash >> UInt64(64 - 4 * place)) & 15
      return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
  }

  // MARK: Reading

  /// Whether the bytes begin like a line of this version.
  static func isHead(_ line: ArraySlice<UInt8>) -> Bool {
    guard let mark = line.first, mark == Self.waits || mark == Self.acknowledged else { return false }
    return line.dropFirst().starts(with: version)
  }

  /// Parses a line without its line feed; `nil` for a damaged line or one of another version.
  init?(parsing line: ArraySlice<UInt8>) {
    guard Self.isHead(line) else { return nil }
    let mark = line[line.startIndex]
    var rest = line.dropFirst(1 + Self.version.count)
    let checksum = rest.prefix(Self.checksumLength)
    rest = rest.dropFirst(Self.checksumLength)
    guard rest.first == UInt8(ascii: " "), checksum.elementsEqual(Self.checksum(rest.dropFirst())),
      let object = Self.object(rest.dropFirst())
    else { return nil }
    if mark == Self.waits {
      guard let delivery = Delivery(object) else { return nil }
      self = .waiting(.init(delivery, number: Self.number(object)))
    } else {
      self = Self.seen(object)
    }
  }

  private static func number(_ object: JSONObject) -> DeliveryQueue.Number? {
    guard let epoch = object["epoch"]?.int, let sequence = object["sequence"]?.int else { return nil }
    return .init(epoch: epoch, sequence: sequence)
  }

  private static func seen(_ object: JSONObject) -> SpoolLine {
    guard let identity = object["identity"]?.string,
      let time = object["time"]?.int ?? Delivery(object)?.changes.last?.time
    else { return .nothing }
    return .seen(.init(identity: identity, time: time))
  }

  static func object(_ text: ArraySlice<UInt8>) -> JSONObject? {
    (try? JSON(parsing: String(decoding: text, as: UTF8.self)))?.object
  }
}
