/// Writes the members of an ``EncodedObject``. Names must be unique.
public struct ObjectWriter: ~Copyable {
  private var text = ByteWriter()
  /// Whether the current object has a member.
  private var hasMembers = false

  init() { text.append(UInt8(ascii: "{")) }

  consuming func finish() -> [UInt8] {
    text.append(UInt8(ascii: "}"))
    return text.bytes
  }

  public mutating func add(_ name: StaticString, _ number: Int64) {
    begin(name)
    text.append(number)
  }

  /// Adds nothing for `nil`, as all overloads with an optional do.
  public mutating func add(_ name: StaticString, _ number: Int64?) {
    if let number { add(name, number) }
  }

  public mutating func add(_ name: StaticString, _ words: String) {
    begin(name)
    text.append(quoted: words)
  }

  public mutating func add(_ name: StaticString, _ words: String?) {
    if let words { add(name, words) }
  }

  public mutating func add(_ name: StaticString, _ flag: Bool) {
    begin(name)
    text.append(flag ? "true" : "false")
  }

  public mutating func add(_ name: StaticString, _ value: JSON) {
    begin(name)
    value.write(to: &text)
  }

  public mutating func add(_ name: StaticString, _ object: EncodedObject?) {
    guard let object else { return }
    begin(name)
    text.append(contentsOf: object.bytes)
  }

  public mutating func add(_ name: StaticString, _ objects: some Sequence<EncodedObject>) {
    begin(name)
    array(of: objects) { writer, object in writer.text.append(contentsOf: object.bytes) }
  }

  /// Adds an object with the members that `write` adds.
  public mutating func add(_ name: StaticString, _ write: (inout ObjectWriter) -> Void) {
    begin(name)
    object(write)
  }

  /// Adds an array with one object per element, whose members `write` adds.
  public mutating func add<Element>(
    _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout ObjectWriter, Element) -> Void
  ) {
    begin(name)
    array(of: elements) { writer, element in writer.object { write(&$0, element) } }
  }

  /// Adds an array that begins with a text, unless that is `nil`, and goes on with numbers.
  public mutating func add(_ name: StaticString, _ words: String?, then numbers: [Int64]) {
    begin(name)
    row(words, numbers)
  }

  /// Adds an array of arrays, one for each element: its words, unless they are `nil`, then its numbers.
  public mutating func add<Element>(
    _ name: StaticString, rows elements: some Sequence<Element>, _ row: (Element) -> (words: String?, numbers: [Int64])
  ) {
    begin(name)
    array(of: elements) { writer, element in
      let (words, numbers) = row(element)
      writer.row(words, numbers)
    }
  }

  private mutating func row(_ words: String?, _ numbers: [Int64]) {
    text.append(UInt8(ascii: "["))
    if let words { text.append(quoted: words) }
    for (index, number) in numbers.enumerated() {
      if index > 0 || words != nil { text.append(UInt8(ascii: ",")) }
      text.append(number)
    }
    text.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ name: StaticString) {
    text.append(name: name, isFirst: !hasMembers)
    hasMembers = true
  }

  private mutating func object(_ write: (inout ObjectWriter) -> Void) {
    text.append(UInt8(ascii: "{"))
    hasMembers = false
    write(&self)
    text.append(UInt8(ascii: "}"))
    hasMembers = true
  }

  private mutating func array<Element>(
    of elements: some Sequence<Element>, _ write: (inout ObjectWriter, Element) -> Void
  ) {
    text.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      write(&self, element)
    }
    text.append(UInt8(ascii: "]"))
  }
}
