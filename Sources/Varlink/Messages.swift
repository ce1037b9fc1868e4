/// The message with which a client calls a method.
package struct CallMessage: Equatable {
  /// The qualified name of the method.
  package var method: String
  package var parameters: JSONObject = [:]
  package var mode: Mode = .one

  /// What the caller expects back.
  package enum Mode: Equatable {
    /// One reply.
    case one
    /// Any number of replies, the last of them marked.
    case more
    /// Nothing, not even an error.
    case oneway
    /// One reply, after which the connection speaks another protocol.
    case upgrade
  }

  package init(_ method: String, _ parameters: JSONObject = [:], mode: Mode = .one) {
    self.method = method
    self.parameters = parameters
    self.mode = mode
  }

  /// How many values a call may hold: three times those that 16 MiB of lines to be imported have, and a tenth of those
  /// that 16 MiB can be filled with.
  package static let mostValues = 1 << 19

  /// Reads a message without its NUL; `nil` for one that breaks the rules, after which the connection is to be closed.
  ///
  /// The rules: a JSON object with a `method`, no members beside those of a call but vendors' (their names have a
  /// dot), flags that are true or false, and at most one of them true.
  package init?(parsing bytes: UnsafeRawBufferPointer) {
    guard case .object(let message)? = unsafe try? JSON(parsing: bytes, values: Self.mostValues) else { return nil }
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

  /// Appends the message and its NUL.
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

/// The message with which a service answers.
package enum ReplyMessage: Equatable {
  case last(JSONObject)
  /// There will be another one.
  case continuing(JSONObject)
  case error(VarlinkError)

  /// Reads a message without its NUL; `nil` for one that breaks the rules.
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

  /// Appends the message and its NUL.
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
