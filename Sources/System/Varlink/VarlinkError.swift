public import JSON

/// An error reply: a qualified name and parameters.
public struct VarlinkError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Qualified name, such as `org.varlink.service.MethodNotFound`.
  public let name: String

  /// Parameters, as the interface defines them for this error.
  public let parameters: JSONObject

  public init(_ name: String, _ parameters: JSONObject = [:]) {
    self.name = name
    self.parameters = parameters
  }

  /// The parameter `message`, or else name and parameters.
  public var description: String {
    if let message = parameters["message"]?.string { return message }
    return parameters.isEmpty ? name : "\(name) \(parameters)"
  }

  // MARK: Errors of `org.varlink.service`, which any service may return

  /// The service does not have the interface.
  public static func interfaceNotFound(_ interface: String) -> VarlinkError {
    VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": .string(interface)])
  }

  /// The interface has no such method; `method` is the qualified name.
  public static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError("org.varlink.service.MethodNotFound", ["method": .string(method)])
  }

  /// The service does not implement the method, or not in the requested mode.
  public static func methodNotImplemented(_ method: String) -> VarlinkError {
    VarlinkError("org.varlink.service.MethodNotImplemented", ["method": .string(method)])
  }

  /// A parameter is missing, unknown or of the wrong type; `parameter` is its path, such as `changes[0].verb`.
  public static func invalidParameter(_ parameter: String) -> VarlinkError {
    VarlinkError("org.varlink.service.InvalidParameter", ["parameter": .string(parameter)])
  }

  /// The caller may not do this.
  public static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")

  /// The method sends several replies and must be called with `more`.
  public static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")
}
