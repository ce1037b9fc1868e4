/// The interfaces that a program serves, and what answers the calls of each. Serves `org.varlink.service` by itself.
///
/// Knows nothing of sockets; a ``Server`` brings it the calls.
public final class Service {
  private let vendor: String
  private let product: String
  private let version: String
  private let url: String
  private var interfaces: [Interface] = []
  private var routes: [String: Route] = [:]

  /// Where the calls of one method go.
  final class Route {
    /// The method's short name.
    let name: String
    let method: Interface.Method
    let interface: Interface
    let handler: (Call) -> Void

    init(name: String, method: Interface.Method, interface: Interface, handler: @escaping (Call) -> Void) {
      self.name = name
      self.method = method
      self.interface = interface
      self.handler = handler
    }
  }

  /// Runs whenever all calls that had come by then are handled: where a handler answers together what it has put off.
  public var onPause: () -> Void = {}

  /// - Parameters: what `GetInfo` tells: who made the program, its name and version, and where to read about it.
  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
    // The description is this module's own; that it parses is a test's matter.
    if let interface = try? Interface(ServiceInterface.description) {
      add(interface) { [unowned self] call in describe(to: call) }
    }
  }

  /// Serves `interface` from now on.
  ///
  /// - Parameter handler: gets each call of one of its methods, with parameters that fit the definition. It answers
  ///   at once, or keeps the call and answers later. It must not let go of a call unanswered: that closes the
  ///   caller's connection.
  public func add(_ interface: Interface, handler: @escaping (Call) -> Void) {
    interfaces.removeAll { $0.name == interface.name }
    interfaces.append(interface)
    for (name, method) in interface.methods {
      routes["\(interface.name).\(name)"] = Route(name: name, method: method, interface: interface, handler: handler)
    }
  }

  /// Finds what answers `message`, and checks that its parameters are such as the method takes.
  ///
  /// - Throws: the error to answer instead.
  func route(_ message: CallMessage) throws(VarlinkError) -> Route {
    guard let route = routes[message.method] else { throw unknown(message.method) }
    // No method here can take a connection over. An error is the one answer after which the caller does not
    // believe that the other protocol has begun.
    guard message.mode != .upgrade else { throw .methodNotImplemented(message.method) }
    try route.interface.validate(call: route.method, message.parameters)
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
