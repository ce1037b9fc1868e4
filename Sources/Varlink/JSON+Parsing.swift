import Cjansson

extension JSON {
  /// How deep arrays and objects may lie in each other; deeper text is refused, so that no reader runs out of stack.
  public static let maximumDepth = 256

  /// Why a text is not JSON, and where.
  public struct SyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in characters.
    public let column: Int
    /// What is wrong there, in jansson's words.
    public let reason: String

    public var description: String { "line \(line), column \(column): \(reason)" }
  }

  /// Reads one JSON value from UTF-8 `text`; nothing but white space may follow it.
  ///
  /// Refused, where JSON leaves it open: a name that occurs twice in one object, whole numbers outside 64 bits,
  /// fractions outside a double, the character U+0000, and nesting deeper than ``maximumDepth``.
  public init(parsing text: String) throws(SyntaxError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(SyntaxError) in unsafe try JSON(parsing: UnsafeRawBufferPointer(bytes)) }
    }
    self = try result.get()
  }

  /// Reads one JSON value from bytes, which are only looked at during the call.
  package init(parsing bytes: UnsafeRawBufferPointer) throws(SyntaxError) {
    var problem = json_error_t()
    let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let flags = Int(JSON_REJECT_DUPLICATES) | Int(JSON_DECODE_ANY)
    guard let root = unsafe json_loadb(text, bytes.count, flags, &problem) else {
      throw SyntaxError(problem)
    }
    defer { unsafe json_decref(root) }
    guard let value = unsafe JSON(copying: root, room: Self.maximumDepth) else {
      throw SyntaxError(line: 1, column: 1, reason: "arrays and objects lie more than \(Self.maximumDepth) deep")
    }
    self = value
  }

  /// Copies jansson's value; `nil` where it is deeper than `room`.
  private init?(copying value: UnsafePointer<json_t>, room: Int) {
    switch unsafe value.pointee.type {
    case JSON_OBJECT:
      guard room > 0, let object = unsafe Self.members(of: value, room: room - 1) else { return nil }
      self = .object(JSONObject(object))
    case JSON_ARRAY:
      guard room > 0, let array = unsafe Self.elements(of: value, room: room - 1) else { return nil }
      self = .array(array)
    case JSON_STRING:
      let text = unsafe UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
      self = unsafe .string(String(decoding: text, as: UTF8.self))
    case JSON_INTEGER: self = unsafe .int(json_integer_value(value))
    case JSON_REAL: self = unsafe .float(json_real_value(value))
    case JSON_TRUE: self = .bool(true)
    case JSON_FALSE: self = .bool(false)
    default: self = .null
    }
  }

  private static func elements(of array: UnsafePointer<json_t>, room: Int) -> [JSON]? {
    let count = unsafe json_array_size(array)
    var elements: [JSON] = []
    elements.reserveCapacity(count)
    for index in 0..<count {
      guard let element = unsafe json_array_get(array, index), let copy = unsafe JSON(copying: element, room: room)
      else { return nil }
      elements.append(copy)
    }
    return elements
  }

  private static func members(of object: UnsafePointer<json_t>, room: Int) -> [JSONObject.Member]? {
    // jansson's iterator does not change the object, though its signature does not say so.
    let object = unsafe UnsafeMutablePointer(mutating: object)
    var members: [JSONObject.Member] = []
    members.reserveCapacity(unsafe json_object_size(object))
    var position = unsafe json_object_iter(object)
    while let here = unsafe position {
      guard let key = unsafe json_object_iter_key(here), let value = unsafe json_object_iter_value(here),
        let copy = unsafe JSON(copying: value, room: room)
      else { return nil }
      unsafe members.append((String(cString: key), copy))
      unsafe position = json_object_iter_next(object, here)
    }
    return members
  }
}

extension JSON.SyntaxError {
  fileprivate init(_ problem: json_error_t) {
    var problem = problem
    let reason = unsafe withUnsafeBytes(of: &problem.text) { text in
      unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(line: Int(problem.line), column: Int(problem.column), reason: reason)
  }
}
