/// An error as one end of a connection answers it to the other: a qualified name and its parameters.
public struct VarlinkError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The interface and the error's own name: `org.varlink.service.MethodNotFound`.
  public let name: String

  /// What the interface says that this error carries.
  public let parameters: JSONObject

  public init(_ name: String, _ parameters: JSONObject = [:]) {
    self.name = name
    self.parameters = parameters
  }

  /// The sentence that the error brought along as `message`, else its name and parameters.
  public var description: String {
    if let message = parameters["message"]?.string { return message }
    return parameters.isEmpty ? name : "\(name) \(parameters)"
  }
}

/// The errors of `org.varlink.service`, which any service may answer.
extension VarlinkError {
  /// No interface of this name is served here.
  public static func interfaceNotFound(_ interface: String) -> VarlinkError {
    VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": .string(interface)])
  }

  /// The interface has no such method; `method` is the qualified name.
  public static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError("org.varlink.service.MethodNotFound", ["method": .string(method)])
  }

  /// The interface has the method, but this service does not do it, or not in the way that was asked for.
  public static func methodNotImplemented(_ method: String) -> VarlinkError {
    VarlinkError("org.varlink.service.MethodNotImplemented", ["method": .string(method)])
  }

  /// A parameter is missing, of the wrong type or unknown; `parameter` says which: `changes[0].verb`.
  public static func invalidParameter(_ parameter: String) -> VarlinkError {
    VarlinkError("org.varlink.service.InvalidParameter", ["parameter": .string(parameter)])
  }

  /// The caller may not do this.
  public static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")

  /// The method answers more than once and has to be called with `more`.
  public static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")

  /// The method takes the connection over and has to be called with `upgrade`.
  public static let expectedUpgrade = VarlinkError("org.varlink.service.ExpectedUpgrade")
}
