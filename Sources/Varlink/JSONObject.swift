/// The members of a JSON object, in the order in which they were written.
///
/// A plain list: the objects of Varlink's messages have a handful of members, for which searching a list is faster
/// than hashing.
public struct JSONObject: Sendable {
  /// A name and its value.
  public typealias Member = (key: String, value: JSON)

  package private(set) var members: [Member]

  /// Takes over members whose names are known to differ.
  package init(_ members: [Member]) { self.members = members }

  public init() { members = [] }

  public var isEmpty: Bool { members.isEmpty }

  public var count: Int { members.count }

  /// The value called `key`; setting `nil` removes it. A JSON `null` is a value: see ``JSON/isNull``.
  public subscript(key: String) -> JSON? {
    get {
      for member in members where member.key == key { return member.value }
      return nil
    }
    set {
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }
}

extension JSONObject: Equatable {
  /// Whether both hold the same members, in whatever order.
  public static func == (one: JSONObject, other: JSONObject) -> Bool {
    guard one.count == other.count else { return false }
    let values = Dictionary(other.members.lazy.map { ($0.key, $0.value) }) { first, _ in first }
    return one.allSatisfy { values[$0.key] == $0.value }
  }
}

extension JSONObject: Sequence {
  public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Each name must be written once.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    members = elements.map { (key: $0.0, value: $0.1) }
  }
}
