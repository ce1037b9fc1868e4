/// The layout of a scan in a sensor's buffer. The channels are in the order of their indices, each aligned to its size;
/// the time stamp comes last; the size of the scan is a multiple of the largest channel's (the kernel's
/// `iio_compute_scan_bytes`).
public struct ScanLayout: Equatable, Sendable {
  /// An enabled channel.
  public struct Channel: Equatable, Sendable {
    /// The name, such as `in_accel_x`.
    public let name: String
    public let index: Int
    public let element: ScanElement

    public init(name: String, index: Int, element: ScanElement) {
      self.name = name
      self.index = index
      self.element = element
    }
  }

  /// The size of a scan in bytes, at least 1.
  public let byteCount: Int
  private let places: [String: (offset: Int, element: ScanElement)]

  private static let timestampName = "in_timestamp"
  /// The maximum size of a scan in bytes, which no sensor reaches.
  private static let longest = 4096
  private static let mostChannels = 64

  /// Lays out the enabled channels, which may be in any order.
  public init(_ channels: [Channel]) throws(ScanElement.Problem) {
    guard !channels.isEmpty else { throw .init("no channel is switched on") }
    guard channels.count <= Self.mostChannels else { throw .init("it has \(channels.count) channels") }
    guard Set(channels.map(\.index)).count == channels.count, Set(channels.map(\.name)).count == channels.count else {
      throw .init("two of its channels have the same place")
    }
    let stamp = channels.filter { $0.name == Self.timestampName }
    let ordered = channels.filter { $0.name != Self.timestampName }.sorted { $0.index < $1.index } + stamp
    var (offset, largest) = (0, 1)
    var places: [String: (offset: Int, element: ScanElement)] = [:]
    for channel in ordered {
      let count = channel.element.byteCount
      offset = Self.aligned(offset, to: count)
      places[channel.name] = (offset, channel.element)
      offset += count
      largest = max(largest, count)
    }
    byteCount = Self.aligned(offset, to: largest)
    guard byteCount <= Self.longest else { throw .init("a scan of it has \(byteCount) bytes") }
    self.places = places
  }

  public static func == (a: ScanLayout, b: ScanLayout) -> Bool {
    a.byteCount == b.byteCount && a.places.count == b.places.count
      && a.places.allSatisfy { name, place in b.places[name].map { $0 == place } ?? false }
  }

  /// The position of a channel in a scan; nil if there is none.
  public func number(_ name: String) -> ScanNumber? {
    guard let place = places[name], place.element.isNumber else { return nil }
    return ScanNumber(offset: place.offset, element: place.element)
  }

  /// The position of the time stamp in a scan.
  public var timestamp: ScanNumber? { number(Self.timestampName) }

  private static func aligned(_ offset: Int, to count: Int) -> Int { (offset + count - 1) / count * count }
}

/// A number in a scan.
public struct ScanNumber: Equatable, Sendable {
  /// The distance from the beginning of the scan, in bytes.
  public let offset: Int
  public let element: ScanElement

  /// The value in the scan that begins at `start`; nil if the scan is cut off.
  public func value(in bytes: [UInt8], scanAt start: Int) -> Int64? {
    guard start >= 0, start <= bytes.count, offset + element.byteCount <= bytes.count - start else { return nil }
    return element.value(in: bytes, at: start + offset)
  }
}
