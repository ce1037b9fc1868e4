public import JSON

/// The name of a member of the interface's objects.
public struct MemberName: Equatable, Sendable, ExpressibleByStringLiteral {
  /// The name for `ObjectWriter`, which takes names that are fixed at compile time.
  public let literal: StaticString

  public init(stringLiteral literal: StaticString) { self.literal = literal }

  /// The name for `JSONObject`.
  public var text: String { literal.description }

  public static func == (one: MemberName, other: MemberName) -> Bool { one.text == other.text }
}

/// The members of one of the interface's objects, as an enum without payloads. The name of a case is the member's name.
public protocol InterfaceMember: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == MemberName {}

/// A value that a member can have.
public protocol MemberValue: Sendable {
  /// Converts JSON; `nil` for JSON of another type.
  init?(json: JSON)
  var json: JSON { get }
}

extension Int64: MemberValue {
  public init?(json: JSON) {
    guard let number = json.int else { return nil }
    self = number
  }

  public var json: JSON { .int(self) }
}

extension String: MemberValue {
  public init?(json: JSON) {
    guard let text = json.string else { return nil }
    self = text
  }

  public var json: JSON { .string(self) }
}

extension Bool: MemberValue {
  public init?(json: JSON) {
    guard let flag = json.bool else { return nil }
    self = flag
  }

  public var json: JSON { .bool(self) }
}

/// Any JSON value, for entries of archives: the interface does not define the members of an entry.
extension JSON: MemberValue {
  public init?(json: JSON) { self = json }
  public var json: JSON { self }
}

extension Array: MemberValue where Element: MemberValue {
  /// Converts a JSON array, skipping elements of another type.
  public init?(json: JSON) {
    guard let elements = json.array else { return nil }
    self = elements.compactMap(Element.init(json:))
  }

  public var json: JSON { .array(map(\.json)) }
}

/// A typed view of an object of the interface.
///
/// Reading never fails, because a core may be older or newer than its client: a required member that is missing or has
/// another type reads as 0, `false` or empty, an optional one as `nil`. Unknown members stay in ``object``.
public protocol Structure: MemberValue, Equatable {
  associatedtype Member: InterfaceMember
  /// All members, as they were received or will be sent.
  var object: JSONObject { get set }
  init(_ object: JSONObject)
}

extension Structure {
  public init() { self.init([:]) }

  public init?(json: JSON) {
    guard let object = json.object else { return nil }
    self.init(object)
  }

  public var json: JSON { .object(object) }

  public func has(_ member: Member) -> Bool { object[member] != nil }

  /// A member's value; setting `nil` removes the member.
  public subscript<Value: MemberValue>(member: Member) -> Value? {
    get { object[member].flatMap(Value.init(json:)) }
    set { object[member] = newValue?.json }
  }
}

extension JSONObject {
  /// The value of a member; setting `nil` removes the member.
  @inlinable
  public subscript(member: some InterfaceMember) -> JSON? {
    get { self[literal: member.rawValue.literal] }
    set { self[member.rawValue.text] = newValue }
  }
}

// MARK: Writing

/// Streaming with the same names. Each function is inlined into its caller, so that a name costs the same as a literal.
extension ObjectWriter {
  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ number: Int64) { add(member.rawValue.literal, number) }

  /// Adds a value; nothing for `nil`, as with every optional value here.
  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ number: Int64?) {
    if let number { add(member.rawValue.literal, number) }
  }

  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ text: String) { add(member.rawValue.literal, text) }

  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ text: String?) {
    if let text { add(member.rawValue.literal, text) }
  }

  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ flag: Bool) { add(member.rawValue.literal, flag) }

  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ texts: [String]) {
    add(member.rawValue.literal, JSON.array(texts.map(JSON.string)))
  }

  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ numbers: [Int64]) {
    add(member.rawValue.literal, JSON.array(numbers.map(JSON.int)))
  }

  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ object: EncodedObject?) {
    add(member.rawValue.literal, object)
  }

  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ objects: some Sequence<EncodedObject>) {
    add(member.rawValue.literal, objects)
  }

  /// Adds an array of structures.
  public mutating func add(_ member: some InterfaceMember, _ structures: some Sequence<some Structure>) {
    add(member.rawValue.literal, JSON.array(structures.map(\.json)))
  }

  /// Adds an object with the members that `write` adds.
  @inlinable
  public mutating func add(_ member: some InterfaceMember, _ write: (inout ObjectWriter) -> Void) {
    add(member.rawValue.literal, write)
  }

  /// Adds an array with an object for each of `elements`, whose members `write` adds.
  @inlinable
  public mutating func add<Element>(
    _ member: some InterfaceMember, _ elements: some Sequence<Element>, _ write: (inout ObjectWriter, Element) -> Void
  ) {
    add(member.rawValue.literal, elements, write)
  }
}
