package import JSON

/// A call message.
package struct CallMessage: Equatable {
  /// Qualified name of the method.
  package var method: String
  package var parameters: JSONObject = [:]
  package var mode: Mode = .one
  /// The path of the first parameter with an unsupported value, such as an integer beyond 64 bits. The service replies
  /// with an error.
  package private(set) var unsupported: String?

  /// Expected replies.
  package enum Mode: Equatable {
    /// One reply.
    case one
    /// Any number of replies; all but the last have `continues`.
    case more
    /// No reply, not even an error.
    case oneway
    /// One reply, after which the connection switches to another protocol.
    case upgrade
  }

  package init(_ method: String, _ parameters: JSONObject = [:], mode: Mode = .one) {
    self.method = method
    self.parameters = parameters
    self.mode = mode
  }

  /// Maximum number of JSON values in a call. A message at the limit of 16 MiB could have ten times as many; 16 MiB of
  /// ordinary lines of text have a third as many.
  package static let mostValues = 1 << 19

  /// Parses a message without its NUL; `nil` if it is invalid: the connection must be closed. A valid message may have
  /// an ``unsupported`` parameter.
  ///
  /// A valid message is a JSON object with a `method`, with Boolean flags of which at most one is true, and without
  /// other members, except those of vendors, whose names contain a dot.
  package init?(parsing bytes: UnsafeRawBufferPointer) {
    let json: JSON
    if let whole = unsafe try? JSON(parsing: bytes, values: Self.mostValues) {
      json = whole
    } else {
      // An error in a value belongs to this call only: the messages after it can still be read.
      guard let (value, replaced) = unsafe try? JSON.replacing(parsing: bytes, values: Self.mostValues),
        let replaced, replaced.count > 1, replaced[0] == "parameters"
      else { return nil }
      json = value
      unsupported = Self.path(replaced.dropFirst())
    }
    guard case .object(let message) = json else { return nil }
    var method: String?
    var modes: [Mode] = []
    for (key, value) in message.members {
      switch (key, value) {
      case ("method", .string(let name)): method = name
      case ("parameters", .object(let object)): parameters = object
      case ("more", .bool(true)): modes.append(.more)
      case ("oneway", .bool(true)): modes.append(.oneway)
      case ("upgrade", .bool(true)): modes.append(.upgrade)
      case ("parameters", .null): break
      case ("more", .bool), ("more", .null), ("oneway", .bool), ("oneway", .null), ("upgrade", .bool),
        ("upgrade", .null):
        break
      default: guard key.utf8.contains(UInt8(ascii: ".")) else { return nil }
      }
    }
    guard let method, modes.count <= 1 else { return nil }
    self.method = method
    if let mode = modes.first { self.mode = mode }
  }

  /// Names of members and indexes as a path: `changes[0].amount`.
  private static func path(_ parts: ArraySlice<String>) -> String {
    parts.reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : $0 + "." + $1 }
  }

  /// Appends the message and the NUL byte.
  package func write(to bytes: inout [UInt8]) {
    var text = ByteWriter()
    text.append("{\"method\":")
    text.append(quoted: method)
    if !parameters.isEmpty {
      text.append(",\"parameters\":")
      parameters.write(to: &text)
    }
    switch mode {
    case .one: break
    case .more: text.append(",\"more\":true")
    case .oneway: text.append(",\"oneway\":true")
    case .upgrade: text.append(",\"upgrade\":true")
    }
    text.append("}\0")
    unsafe text.withBytes { unsafe bytes.append(contentsOf: $0) }
  }
}

/// A reply message.
package enum ReplyMessage: Equatable {
  case last(JSONObject)
  /// Further replies follow.
  case continuing(JSONObject)
  case error(VarlinkError)

  /// Parses a message without its NUL; `nil` for an invalid one.
  package init?(parsing bytes: UnsafeRawBufferPointer) {
    guard case .object(let message)? = unsafe try? JSON(parsing: bytes) else { return nil }
    var parameters: JSONObject = [:]
    var error: String?
    var continues = false
    for (key, value) in message.members {
      switch (key, value) {
      case ("parameters", .object(let object)): parameters = object
      case ("error", .string(let name)): error = name
      case ("continues", .bool(let flag)): continues = flag
      case ("parameters", .null), ("error", .null), ("continues", .null): break
      default: guard key.utf8.contains(UInt8(ascii: ".")) else { return nil }
      }
    }
    switch (error, continues) {
    case (nil, false): self = .last(parameters)
    case (nil, true): self = .continuing(parameters)
    case (let name?, false): self = .error(VarlinkError(name, parameters))
    case (_?, true): return nil
    }
  }

  /// Appends the message and the NUL byte.
  package func write(to bytes: inout [UInt8]) {
    var text = ByteWriter()
    switch self {
    case .last(let parameters):
      text.append("{")
      if !parameters.isEmpty {
        text.append("\"parameters\":")
        parameters.write(to: &text)
      }
    case .continuing(let parameters):
      text.append("{\"parameters\":")
      parameters.write(to: &text)
      text.append(",\"continues\":true")
    case .error(let error):
      text.append("{\"error\":")
      text.append(quoted: error.name)
      if !error.parameters.isEmpty {
        text.append(",\"parameters\":")
        error.parameters.write(to: &text)
      }
    }
    text.append("}\0")
    unsafe text.withBytes { unsafe bytes.append(contentsOf: $0) }
  }
}
