public import JSON
public import Linux
public import Varlink

/// A connection to a core that waits for each reply.
///
/// The methods of the interface are the static functions of ``Counters/Request``:
///
///     let event = try client.call(.add("people", quantity: "2")).event
public final class CountersClient {
  private let client: Client

  /// Connects to the socket at `path`.
  ///
  /// - Throws: `ENOENT` or `ECONNREFUSED` if no core listens, `EAGAIN` after ``Varlink/Client/patience`` if a core hangs
  ///   and its queue of new connections is full.
  public init(path: String) throws(SystemError) { client = try Client(path: path) }

  /// Work that is repeated while no reply has arrived for a number of milliseconds.
  public var whenQuiet: (after: Int32, act: () -> Void)? {
    get { client.whenQuiet }
    set { client.whenQuiet = newValue }
  }

  /// The time to wait for a reply, in milliseconds; without one, as long as it takes. Then the connection is lost.
  public var patience: Int32? {
    get { client.patience }
    set { client.patience = newValue }
  }

  /// The number of times that ``whenQuiet`` has acted since the client began to wait for the present reply.
  public var quietTimes: Int { client.quietTimes }

  /// Sends a request and waits for its reply.
  ///
  /// - Throws: ``Counters/Refusal``; a `VarlinkError` that the interface does not define; a `SystemError` if the
  ///   connection is lost.
  public func call<Reply>(_ request: Counters.Request<Reply>) throws -> Reply {
    try refusing { Reply(try client.call(request.method.qualifiedName, request.parameters)) }
  }

  /// Sends a request that has many replies, and calls `each` with each of them until `each` returns `false`.
  ///
  /// - Throws: the errors of ``call(_:)`` and of `each`.
  public func stream<Reply>(_ request: Counters.Request<Reply>, each: (Reply) throws -> Bool) throws {
    try refusing {
      try client.stream(request.method.qualifiedName, request.parameters) { try each(Reply($0)) }
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
}

extension AsyncClient {
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
