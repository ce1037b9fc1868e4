import Board
import NIOCore
import NIOHTTP1

final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: Routes
  private let viewers: EventStreams
  private let connections: Connections
  private let devices: Devices
  private let pictures: Pictures
  private let core: CoreOrders
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  /// A complete request that waits for its turn, or for the client to read earlier responses.
  private var held: HTTPRequestHead?
  /// Handles the request in its turn.
  private var turn: Scheduled<Void>?
  /// The time of the last response.
  private var answered = NIODeadline.uptimeNanoseconds(0)
  /// The budget of a connection from this machine, such as a proxy's, in addition to the machine's budget. Connections
  /// from elsewhere share the budget of their address.
  private var budget = RequestBudget()
  /// Whether the client has closed its sending side; it may still read.
  private var isInputClosed = false
  /// The number of requests whose responses are not yet sent.
  private var unanswered = 0
  /// Closes a connection with a slow request, or an idle one.
  private var deadline: Scheduled<Void>?

  /// The shortest time between two responses of one connection, so that a client with many requests leaves the server
  /// to others between them.
  private static let pace = TimeAmount.milliseconds(1)
  /// The maximum time for a complete request, and between two.
  private static let patience = (request: TimeAmount.seconds(5), idle: TimeAmount.seconds(30))

  init(
    site: Routes, viewers: EventStreams, connections: Connections, devices: Devices, pictures: Pictures,
    core: CoreOrders
  ) {
    self.site = site
    self.viewers = viewers
    self.connections = connections
    self.devices = devices
    self.pictures = pictures
    self.core = core
  }

  func channelActive(context: ChannelHandlerContext) {
    guard connections.add(context.channel.remoteAddress) else { return context.close(promise: nil) }
    wait(Self.patience.request, context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    turn?.cancel()
    viewers.remove(context.channel)
    connections.remove(context.channel.remoteAddress)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    viewers.writabilityChanged(of: context.channel)
    if turn == nil { answerHeld(context) }
  }

  private func answerHeld(_ context: ChannelHandlerContext) {
    guard context.channel.isWritable, let head = held else { return }
    held = nil
    deadline?.cancel()
    answered = .now()
    answer(head, context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
    isInputClosed = true
    // A stream of events is not counted as unanswered, so it ends here.
    if unanswered == 0 { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
      wait(Self.patience.request, context)
      if head.version == .http1_1, head.headers["Expect"].contains(where: { $0.lowercased() == "100-continue" }) {
        context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
      }
    case .body(let bytes):
      // One byte more than allowed is enough to refuse the body.
      body += bytes.readableBytesView.prefix(Routes.longestBody + 1 - body.count)
    case .end:
      guard let head else { return }
      self.head = nil
      unanswered += 1
      // The pipeline passes on no further request until this one has its response.
      held = head
      let delay = delay(context)
      guard delay > .zero else {
        // A client that does not read gets one response at a time.
        if !context.channel.isWritable { wait(Self.patience.idle, context) }
        return answerHeld(context)
      }
      deadline?.cancel()
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      turn = context.eventLoop.scheduleTask(in: delay) {
        let (handler, context) = bound.value
        handler.turn = nil
        if !context.channel.isWritable { handler.wait(Self.patience.idle, context) }
        handler.answerHeld(context)
      }
    }
  }

  /// The time for which the request must wait.
  private func delay(_ context: ChannelHandlerContext) -> TimeAmount {
    let now = NIODeadline.now()
    let budget =
      Connections.key(context.channel.remoteAddress).map { connections.wait($0, at: now) }
      ?? max(budget.take(at: now), connections.waitOfMachine(at: now))
    return max(budget, answered + Self.pace - now)
  }

  private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { channel.close(promise: nil) }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var request = Routes.Request(
      method: head.method.rawValue, target: head.uri, hosts: head.headers["Host"],
      knownTag: head.headers.first(name: "If-None-Match"))
    request.origin = head.headers.first(name: "Origin")
    request.contentType = head.headers.first(name: "Content-Type")
    request.body = body
    body = []
    switch site.answer(request) {
    case .content(let content): send(content, to: head, context)
    case .events: stream(to: head, context)
    case .picture(let name):
      send(pictures[name].map(Routes.Content.picture) ?? .noPicture, to: head, context)
    case .order(.pair(let code, let name, let origin)):
      send(devices.pair(code: code, name: name, origin: origin), to: head, context)
    case .order(let order):
      if !order.needsDevice { return perform(order, of: nil, head, context) }
      guard let device = devices.device(of: head) else { return send(.unpaired, to: head, context) }
      guard devices.allow(device) else { return send(.tooFast, to: head, context) }
      if case .keep(let picture) = order {
        let content = device.maySetUp ? pictures.keep(picture, icons: viewers.icons) : .mayNotSetUp
        return send(content, to: head, context)
      }
      perform(order, of: device, head, context)
    }
  }

  private func perform(
    _ order: Routes.Order, of device: PairedDevices.Device?, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    core.send(
      order, of: device, at: context.channel.remoteAddress.flatMap(Connections.key), answeringOn: context.eventLoop
    ) { content in
      let (handler, context) = bound.value
      guard context.channel.isActive else { return }
      handler.send(content, to: head, context)
    }
  }

  private func send(_ content: Routes.Content, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let status = HTTPResponseStatus(statusCode: content.status)
    var headers = HTTPHeaders(Routes.safety)
    for (name, value) in content.headers { headers.replaceOrAdd(name: name, value: value) }
    if content.status != 304 { headers.add(name: "Content-Length", value: String(content.body.count)) }
    if !head.isKeepAlive { headers.add(name: "Connection", value: "close") }
    context.write(wrapOutboundOut(.head(.init(version: head.version, status: status, headers: headers))), promise: nil)
    if head.method != .HEAD, !content.body.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: content.body)))), promise: nil)
    }
    end(head, context)
  }

  /// Sends the end of a response, and closes the connection after the last one.
  private func end(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let isLast = !head.isKeepAlive
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      let (handler, context) = bound.value
      handler.unanswered -= 1
      if isLast || handler.isInputClosed && handler.unanswered == 0 { context.close(promise: nil) }
    }
    if !isLast { wait(Self.patience.idle, context) }
  }

  private func stream(to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let headers = HTTPHeaders(
      Routes.safety + [
        ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
        // For nginx, which otherwise buffers responses until they are large.
        ("X-Accel-Buffering", "no"),
      ])
    context.writeAndFlush(
      wrapOutboundOut(.head(.init(version: head.version, status: .ok, headers: headers))), promise: nil)
    guard head.method == .GET else {
      return end(head, context)
    }
    unanswered -= 1
    guard !isInputClosed else { return context.close(promise: nil) }
    let channel = context.channel
    viewers.add(channel, of: devices.device(of: head)) { bytes in
      channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
    }
  }
}
