/// The members of a JSON object, in order.
///
/// Stored as an array: objects in Varlink messages have few members, for which a linear search is faster than hashing.
public struct JSONObject: Sendable {
  /// A name and its value.
  public typealias Member = (key: String, value: JSON)

  package private(set) var members: [Member]

  /// Creates an object from members with unique names.
  package init(_ members: [Member]) { self.members = members }

  public init() { members = [] }

  public var isEmpty: Bool { members.isEmpty }

  public var count: Int { members.count }

  /// The value of the member `key`; setting `nil` removes it. A JSON `null` is a value: see ``JSON/isNull``.
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

  /// The value of the member `key`. Compares bytes, and so creates no string per lookup.
  public subscript(literal key: StaticString) -> JSON? {
    let members = members.span
    for index in members.indices where members[index].key.isEqual(to: key) { return members[index].value }
    return nil
  }
}

extension String {
  @inline(__always)
  fileprivate func isEqual(to literal: StaticString) -> Bool {
    guard utf8.count == literal.utf8CodeUnitCount else { return false }
    var text = self
    return text.withUTF8 { bytes in literal.withUTF8Buffer { unsafe bytes.elementsEqual($0) } }
  }
}

extension JSONObject: Equatable {
  /// Whether both have the same members, in any order.
  public static func == (one: JSONObject, other: JSONObject) -> Bool {
    guard one.count == other.count else { return false }
    let values = Dictionary(other.members.lazy.map { ($0.key, $0.value) }) { first, _ in first }
    return one.allSatisfy { values[$0.key] == $0.value }
  }
}

extension JSONObject: Sequence, ExpressibleByDictionaryLiteral {
  public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }

  /// Names must be unique.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    members = elements.map { (key: $0.0, value: $0.1) }
  }
}
