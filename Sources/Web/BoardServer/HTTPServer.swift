public import Board
public import CoreAPI
import Glibc
public import Linux
import NIOCore
import NIOHTTP1
import NIOPosix

/// The board's HTTP server, on a separate thread.
public final class HTTPServer: Sendable {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let viewers: NIOLoopBound<EventStreams>
  private let devices: NIOLoopBound<Devices>
  private let pictures: NIOLoopBound<Pictures>
  private let connections: NIOLoopBound<Connections>
  private let loop: any NIOCore.EventLoop
  private let channel: any Channel

  /// The address or socket on which the server listens.
  public enum Place: Sendable {
    /// Port 0 lets the system choose one.
    case address(String, port: Int)
    /// A listening TCP socket from systemd.
    case activated(Linux.FileDescriptor)
  }

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - folder: the folder that keeps the paired devices and pictures; `nil` to keep them as long as this process runs.
  ///   - core: receives the orders of pages.
  /// - Throws: `SystemError` if the address is in use or not this machine's, or if the file cannot be read.
  public init(at place: Place, site: Routes, in folder: String?, core: CoreOrders) throws {
    let loop = group.next()
    self.loop = loop
    let (viewers, connections, devices, pictures) = try loop.submit {
      (
        NIOLoopBound(EventStreams(loop: loop) { core.inquire() }, eventLoop: loop),
        NIOLoopBound(Connections(), eventLoop: loop),
        NIOLoopBound(try Devices(path: folder.map { "\($0)/board.json" }), eventLoop: loop),
        NIOLoopBound(Pictures(folder: folder.map { "\($0)/pictures" }), eventLoop: loop)
      )
    }.wait()
    (self.viewers, self.devices) = (viewers, devices)
    (self.connections, self.pictures) = (connections, pictures)
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.backlog, value: 1024)
      // At most this many bytes wait for a viewer that does not read.
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: 64 * 1024))
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      // A client may close its sending side once it has sent a request, and still receives the response.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          var limits = NIOHTTPDecoderLimitConfiguration()
          limits.maxHeaderFieldSize = 4096
          limits.maxHeaderListSize = 8192
          limits.maxHeaderFieldCount = 64
          try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
          try pipeline.addHandler(
            RequestHandler(
              site: site, viewers: viewers.value, connections: connections.value, devices: devices.value,
              pictures: pictures.value, core: core))
        }
      }
    do {
      switch place {
      case .address(let address, let port): channel = try bootstrap.bind(host: address, port: port).wait()
      // The channel closes its descriptor by itself.
      case .activated(let socket): channel = try bootstrap.withBoundSocket(try socket.duplicate()).wait()
      }
    } catch {
      try? group.syncShutdownGracefully()
      // A name without an address gets the same error as an address of another machine.
      let unknown = error is SocketAddressError.UnknownHost ? EADDRNOTAVAIL : nil
      guard let code = (error as? IOError)?.errnoCode ?? unknown else { throw error }
      let name =
        switch place {
        case .address(let address, let port): "\(address), port \(port)"
        case .activated: "the socket from systemd"
        }
      throw SystemError("listen on \(name)", code: code)
    }
  }

  /// The address on which the server listens, with its port.
  public var address: String {
    guard let address = channel.localAddress, let ip = address.ipAddress, let port = address.port else { return "" }
    return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
  }

  /// Sends a new state from the core to pages. Any thread may call this method and the following ones.
  public func begin(_ state: BoardState) { loop.execute { [viewers] in viewers.value.begin(state) } }

  /// Sends a change to pages.
  public func take(_ reply: Counters.WatchReply) { loop.execute { [viewers] in viewers.value.take(reply) } }

  /// Updates the conditions.
  public func take(_ conditions: BoardConditions) { loop.execute { [viewers] in viewers.value.take(conditions) } }

  /// Reports the loss of the core to pages.
  public func lose() { loop.execute { [viewers] in viewers.value.lose() } }

  /// A new code that pairs a device, valid once and for five minutes.
  ///
  /// - Parameter isForSetup: whether the device may also set up counters and groups.
  public func offerCode(isForSetup: Bool) throws -> Secret {
    try loop.submit { [devices, connections] in
      connections.value.use()
      return try devices.value.offer(isForSetup: isForSetup)
    }.wait()
  }

  public func pairedDevices() throws -> [PairedDevices.Device] {
    try loop.submit { [devices] in devices.value.all }.wait()
  }

  /// Removes a device's right to count; returns whether there was one.
  public func revoke(_ id: String) throws -> Bool {
    try loop.submit { [devices, viewers] in
      guard try devices.value.revoke(id) else { return false }
      viewers.value.revoke(id)
      return true
    }.wait()
  }

  /// Stops listening after a number of seconds without a connection, and calls `handler`. A new pairing code, which is
  /// valid only in this process, restarts the time.
  public func whenIdle(seconds: Int64, _ handler: @escaping @Sendable () -> Void) {
    loop.execute { [self] in endWhenIdle(for: .seconds(seconds), handler) }
  }

  private func endWhenIdle(for time: TimeAmount, _ handler: @escaping @Sendable () -> Void) {
    let deadline = connections.value.idleDeadline(time)
    guard deadline > .now() else {
      // A browser that connects from now on waits in systemd's socket for the next board.
      channel.close(promise: nil)
      return handler()
    }
    loop.scheduleTask(deadline: deadline) { [weak self] in self?.endWhenIdle(for: time, handler) }
  }

  /// Sends the end to all streams. The end of the process closes the connections. A shutdown of the event loop group is
  /// avoided, because it would start threads of libdispatch, which log complaints about priorities that a service may
  /// not set.
  public func close() {
    try? loop.submit { [viewers] in viewers.value.close() }.wait()
  }
}
