/// A counter as it stands.
public struct Counter: Equatable, Sendable {
  /// What the events refer to; never given out twice, so that a name can be used again.
  public struct ID: Hashable, Comparable, Sendable {
    public let number: Int64
    public init(_ number: Int64) { self.number = number }
    public static func < (one: ID, other: ID) -> Bool { one.number < other.number }
  }

  public let id: ID
  public let name: CounterName
  /// What people read; the name where no title was given.
  public let title: String
  /// The value it began with.
  public let start: Int64
  /// How much one gesture adds or takes off: 1 or more.
  public let step: Int64
  public internal(set) var value: Int64
  /// When a reset was asked for that nothing has followed yet, in microseconds since 1970. Not kept across a restart.
  var armedAt: Int64?

  public init(id: ID, name: CounterName, title: String, start: Int64, step: Int64, value: Int64) {
    self.id = id
    self.name = name
    self.title = title
    self.start = start
    self.step = step
    self.value = value
  }

  public static let longestTitle = 200

  /// - Throws: ``CountingError/badTitle(reason:)`` for one that is empty, longer than 200 characters or holds control
  ///   characters such as line breaks.
  static func checkTitle(_ title: String) throws(CountingError) {
    if title.isEmpty { throw .badTitle(reason: "it is empty") }
    guard title.utf8.count <= longestTitle * 4, title.unicodeScalars.count <= longestTitle else {
      throw .badTitle(reason: "it is longer than \(longestTitle) characters")
    }
    if title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw .badTitle(reason: "it holds a control character")
    }
  }
}
