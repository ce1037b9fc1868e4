import JSON
public import Varlink

extension Counters {
  /// A named error of the interface: the reason for which the core refused a call.
  public struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    public typealias Reason = Counters.Reason

    /// The error with its parameters.
    public let reason: Reason
    /// A sentence for the person who asked.
    public let message: String

    public init(_ reason: Reason, message: String) {
      self.reason = reason
      self.message = message
    }

    public var description: String { message }

    /// Reads missing parameters as empty.
    ///
    /// - Returns: `nil` for an error that the interface does not define.
    public init?(_ error: VarlinkError) {
      let prefix = "\(Counters.interface)."
      guard error.name.hasPrefix(prefix),
        let name = ErrorName(rawValue: String(error.name.dropFirst(prefix.count)))
      else { return nil }
      self.init(Reason(name, error.parameters), message: error.description)
    }

    public var name: ErrorName { reason.name }

    /// The error in its form on a connection.
    public var error: VarlinkError {
      var parameters = reason.parameters
      parameters["message"] = .string(message)
      return VarlinkError(name.qualifiedName, parameters)
    }
  }
}
