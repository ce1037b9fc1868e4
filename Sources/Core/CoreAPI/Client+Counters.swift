public import JSON
import Linux
import Tallymark
public import Varlink

/// Calls of a core, each of which waits for its reply; see also ``Varlink/Client/whenQuiet`` and
/// ``Varlink/Client/patience``.
///
/// The methods of the interface are the static functions of ``Counters/Request``:
///
///     let event = try client.call(.add("people", quantity: "2")).event
extension Client {
  /// A connection to the first core that listens; `nil` without one.
  ///
  /// - Parameter option: the path of the socket, if one was given.
  public static func first(option: String?) -> Client? {
    let paths = CoreSocket.candidates(option: option)
    return try? CoreSocket.connect(paths) { path throws(SystemError) in try Client(path: path) }.connection
  }

  /// Sends a request and waits for its reply.
  ///
  /// - Throws: ``Counters/Refusal``; a `VarlinkError` that the interface does not define; a `SystemError` if the
  ///   connection is lost.
  public func call<Reply>(_ request: Counters.Request<Reply>) throws -> Reply {
    try refusing { Reply(try call(request.method.qualifiedName, request.parameters)) }
  }

  /// Sends a request that has many replies, and calls `each` with each of them until `each` returns `false`.
  ///
  /// - Throws: the errors of ``call(_:)`` and of `each`.
  public func stream<Reply>(_ request: Counters.Request<Reply>, each: (Reply) throws -> Bool) throws {
    try refusing {
      try stream(request.method.qualifiedName, request.parameters) { try each(Reply($0)) }
    }
  }

  private func refusing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as VarlinkError {
      throw Counters.Refusal(error) ?? error
    }
  }
}

extension AsyncClient {
  /// Sends a request. `reply` runs on the loop with the core's reply, unless the connection ends before.
  public func send<Reply>(
    _ request: Counters.Request<Reply>, reply: @escaping (Result<Reply, VarlinkError>) -> Void
  ) {
    send(request.method.qualifiedName, request.parameters) { reply($0.map(Reply.init(_:))) }
  }

  /// Sends a request that has many replies. `each` runs on the loop for each of them; see ``stream(_:_:each:)``.
  public func stream<Reply>(
    _ request: Counters.Request<Reply>, each: @escaping (Result<Reply, VarlinkError>) -> Void
  ) {
    stream(request.method.qualifiedName, request.parameters) { each($0.map(Reply.init(_:))) }
  }

  private static let deliver = Counters.Method.deliver.qualifiedName

  /// Sends `Deliver` with changes that are encoded already; `reply` receives the parameters of ``Counters/Delivered``.
  public func deliver(
    producer: String, epoch: Int64, sequence: Int64, _ changes: [EncodedObject],
    reply: @escaping (Result<EncodedObject, VarlinkError>) -> Void
  ) {
    let parameters = EncodedObject { object in
      object.add(Counters.Parameter.producer, producer)
      object.add(Counters.Parameter.epoch, epoch)
      object.add(Counters.Parameter.sequence, sequence)
      object.add(Counters.Parameter.changes, changes)
    }
    send(Self.deliver, parameters, reply: reply)
  }
}
