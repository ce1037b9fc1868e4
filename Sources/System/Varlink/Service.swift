import JSON
public import Linux

/// The interfaces of a program and their handlers, including `org.varlink.service`.
///
/// Independent of sockets; a ``Server`` passes it the calls.
public final class Service {
  private let vendor: String
  private let product: String
  private let version: String
  private let url: String
  private var interfaces: [Interface] = []
  private var routes: [String: Route] = [:]
  /// The route of the last call, which usually is that of the next one as well.
  private var lastRoute: Route?
  /// Per interface: whether any call of a client may change state.
  private var mayChanges: [String: (UnixSocket.Peer) -> Bool] = [:]

  /// Method and handler of a qualified name.
  final class Route {
    /// The method's short name.
    let name: String
    let qualifiedName: String
    let method: Interface.Method
    /// The named types of its interface.
    let types: [String: Interface.ValueType]
    /// Whether the method only reads. Its calls are dropped if the caller has disconnected.
    let isQuestion: Bool
    let handler: (Call) -> Void

    init(
      name: String, method: Interface.Method, interface: Interface, isQuestion: Bool, handler: @escaping (Call) -> Void
    ) {
      self.name = name
      qualifiedName = "\(interface.name).\(name)"
      self.method = method
      types = interface.types
      self.isQuestion = isQuestion
      self.handler = handler
    }
  }

  /// Runs when all received calls are handled. A handler can then send several deferred replies together.
  public var onPause: () -> Void = {}

  /// Whether ``onPause`` will run after the present call even if nothing else happens.
  public internal(set) var isPauseAhead = false

  /// Creates a service with the properties that `GetInfo` returns.
  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
    // The description is part of this module; a test checks that it parses.
    if let interface = try? Interface(ServiceInterface.description) {
      add(
        interface, isQuestion: { _ in true }, mayChange: { _ in false },
        handler: { [unowned self] call in describe(to: call) })
    }
  }

  /// Adds an interface, or replaces one of the same name.
  ///
  /// - Parameters:
  ///   - isQuestion: whether a method only reads. Its calls are dropped if the caller has disconnected; calls of others
  ///     are still handled.
  ///   - mayChange: whether any call of a client may change state. If not, all calls of the client are dropped when it
  ///     disconnects.
  ///   - handler: receives each call of the interface, with valid parameters. It replies at once, or keeps the call and
  ///     replies later. Dropping a call without a reply closes the caller's connection.
  public func add(
    _ interface: Interface, isQuestion: (String) -> Bool = { _ in false },
    mayChange: @escaping (UnixSocket.Peer) -> Bool = { _ in true }, handler: @escaping (Call) -> Void
  ) {
    add(interface, isQuestion: isQuestion, mayChange: mayChange) { _ in handler }
  }

  /// Adds an interface with a separate handler for each method.
  ///
  /// - Parameter handlerOf: returns the handler of a method; called once per method.
  public func add(
    _ interface: Interface, isQuestion: (String) -> Bool, mayChange: @escaping (UnixSocket.Peer) -> Bool,
    handlerOf: (String) -> (Call) -> Void
  ) {
    mayChanges[interface.name] = mayChange
    interfaces.removeAll { $0.name == interface.name }
    interfaces.append(interface)
    for (name, method) in interface.methods {
      let route = Route(
        name: name, method: method, interface: interface, isQuestion: isQuestion(name), handler: handlerOf(name))
      routes[route.qualifiedName] = route
    }
    lastRoute = nil
  }

  /// Whether any call of a client may change state.
  func mayChange(_ peer: UnixSocket.Peer) -> Bool { mayChanges.values.contains { $0(peer) } }

  /// Whether a message calls a method that only reads, or an unknown one.
  func isQuestion(_ message: CallMessage) -> Bool { routes[message.method]?.isQuestion ?? true }

  /// Finds the route of `message` and validates its parameters.
  ///
  /// - Throws: the error to reply with.
  func route(_ message: CallMessage) throws(VarlinkError) -> Route {
    let last = lastRoute
    guard let route = last?.qualifiedName == message.method ? last : routes[message.method] else {
      throw unknown(message.method)
    }
    lastRoute = route
    // No method supports upgrades. Only after an error does the caller know that the protocol has not changed.
    guard message.mode != .upgrade else { throw .methodNotImplemented(message.method) }
    if let parameter = message.unsupported { throw .invalidParameter(parameter) }
    try Interface.validate(call: route.method, message.parameters, route.types)
    return route
  }

  private func unknown(_ method: String) -> VarlinkError {
    guard let dot = method.lastIndex(of: ".") else { return .methodNotFound(method) }
    let interface = String(method[..<dot])
    return interfaces.contains { $0.name == interface } ? .methodNotFound(method) : .interfaceNotFound(interface)
  }

  private func describe(to call: Call) {
    guard call.method == "GetInterfaceDescription" else {
      return call.reply([
        "vendor": .string(vendor), "product": .string(product), "version": .string(version), "url": .string(url),
        "interfaces": .array(interfaces.map { .string($0.name) }),
      ])
    }
    let name = call.parameters["interface"]?.string ?? ""
    guard let interface = interfaces.first(where: { $0.name == name }) else {
      return call.fail(.interfaceNotFound(name))
    }
    call.reply(["description": .string(interface.description)])
  }
}

/// Description of the standard interface `org.varlink.service`.
enum ServiceInterface {
  static let name = "org.varlink.service"

  static let description = """
    # What every Varlink service can say about itself.
    interface org.varlink.service

    # Who made this service, and the names of the interfaces that it serves.
    method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)

    # The text that defines an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # This service does not serve the interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method, but this service does not do it.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown or of the wrong type.
    error InvalidParameter (parameter: string)

    # The caller may not do this.
    error PermissionDenied ()

    # The method has to be called with "more".
    error ExpectedMore ()

    # The method has to be called with "upgrade".
    error ExpectedUpgrade ()

    """
}
