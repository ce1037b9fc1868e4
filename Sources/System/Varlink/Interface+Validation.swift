public import JSON

extension Interface {
  /// A value that does not match the interface.
  public struct Mismatch: Error, Equatable, CustomStringConvertible {
    /// The field, such as `changes[0].verb`; empty for the whole value.
    public var path: String
    /// The expected type.
    public let expected: String

    public var description: String { path.isEmpty ? "expected \(expected)" : "\(path): expected \(expected)" }

    /// The same mismatch with the path extended by an enclosing field or index.
    fileprivate consuming func inside(_ outer: String) -> Mismatch {
      path = path.isEmpty ? outer : path.hasPrefix("[") ? outer + path : outer + "." + path
      return self
    }
  }

  /// Validates the parameters of a call of the method `name`.
  ///
  /// - Throws: `org.varlink.service.InvalidParameter` with the field's path, or `…MethodNotFound`.
  public func validate(call name: String, _ parameters: JSONObject) throws(VarlinkError) {
    guard let method = methods[name] else { throw .methodNotFound("\(self.name).\(name)") }
    try Self.validate(call: method, parameters, types)
  }

  /// - Parameter types: the named types of the interface.
  static func validate(
    call method: borrowing Method, _ parameters: JSONObject, _ types: [String: ValueType]
  ) throws(VarlinkError) {
    if let mismatch = mismatch(of: parameters, with: method.input, types) { throw .invalidParameter(mismatch.path) }
  }

  /// Validates one reply of the method `name`: required fields must be present, types must match, and unknown fields
  /// are errors.
  public func validate(reply name: String, _ parameters: JSONObject) throws(Mismatch) {
    guard let method = methods[name] else { throw Mismatch(path: "", expected: "a method of \(self.name)") }
    if let mismatch = Self.mismatch(of: parameters, with: method.output, types) { throw mismatch }
  }

  /// Validates an error returned by a method: it must be defined in this interface and have the defined fields.
  public func validate(_ error: VarlinkError) throws(Mismatch) {
    guard error.name.hasPrefix(name + "."), let fields = errors[String(error.name.dropFirst(name.count + 1))] else {
      throw Mismatch(path: "", expected: "an error of \(name), not \(error.name)")
    }
    if let mismatch = Self.mismatch(of: error.parameters, with: fields, types) { throw mismatch }
  }

  private static func mismatch(
    of object: JSONObject, with fields: [Field], _ types: [String: ValueType]
  ) -> Mismatch? {
    // Iterating over the arrays would copy each member and field.
    let (members, known) = (object.members.span, fields.span)
    for index in members.indices {
      var place = 0
      while place < known.count, known[place].name != members[index].key { place += 1 }
      guard place < known.count else { return Mismatch(path: members[index].key, expected: "no field of this name") }
      if let mismatch = mismatch(of: members[index].value, with: known[place].type, types) {
        return mismatch.inside(members[index].key)
      }
    }
    // Names in an object are unique, so no field is missing if the numbers are equal.
    guard members.count < fields.count else { return nil }
    for field in fields {
      if case .nullable = field.type { continue }
      if object[field.name] == nil { return Mismatch(path: field.name, expected: field.type.words) }
    }
    return nil
  }

  private static func mismatch(
    of value: JSON, with type: ValueType, _ types: [String: ValueType]
  ) -> Mismatch? {
    switch (type, value) {
    case (.bool, .bool), (.int, .int), (.float, .float), (.float, .int), (.string, .string), (.object, .object),
      (.any, _), (.nullable, .null):
      return nil
    case (.nullable(let type), _): return mismatch(of: value, with: type, types)
    case (.named(let name), _):
      guard let type = types[name] else { return Mismatch(path: "", expected: name) }
      return mismatch(of: value, with: type, types)
    case (.enumeration(let words), .string(let word)) where words.contains(word): return nil
    case (.structure(let fields), .object(let object)): return mismatch(of: object, with: fields, types)
    case (.array(let type), .array(let elements)):
      for (index, element) in elements.enumerated() {
        if let mismatch = mismatch(of: element, with: type, types) { return mismatch.inside("[\(index)]") }
      }
      return nil
    case (.map(let type), .object(let object)):
      for (key, value) in object.members {
        if let mismatch = mismatch(of: value, with: type, types) { return mismatch.inside(key) }
      }
      return nil
    default: return Mismatch(path: "", expected: type.words)
    }
  }
}

extension Interface.ValueType {
  /// The type in words, for error messages.
  fileprivate var words: String {
    switch self {
    case .bool: "true or false"
    case .int: "a whole number of 64 bits"
    case .float: "a number"
    case .string: "a string"
    case .object, .structure, .map: "an object"
    case .any: "a value"
    case .enumeration(let words): "one of " + words.joined(separator: ", ")
    case .named(let name): "a \(name)"
    case .array: "an array"
    case .nullable(let type): type.words + " or null"
    }
  }
}
