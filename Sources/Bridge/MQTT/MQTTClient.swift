import Cmosquitto
import Glibc
public import Linux

/// One connection to a broker, on libmosquitto in an event loop. Not thread-safe; used by the thread of its loop.
///
/// The connection begins in ``init(loop:_:_:)`` and ends once; a new one needs a new object. Looking up the host's name
/// blocks.
@safe
public final class MQTTClient {
  private let handle: OpaquePointer
  private let loop: EventLoop
  private let report: (Report) -> Void
  private var source: DescriptorSource?
  private var socket: FileDescriptor?
  private var timer: TimerSource?
  private var later: DeferredSource?
  private var interest: EventLoop.Readiness = []
  /// The keepalive in nanoseconds; a broker for MQTT 5 may want a shorter one.
  private var keepalive: Int64
  private let version: MQTTVersion
  /// Reports of the library's callbacks, which must not call the library or end this object.
  private var found: [Report] = []
  private var isEnded = false
  private var isSilent = false
  /// Whether the kernel has reported any event of the socket.
  private var isReached = false
  /// Whether the broker has accepted the connection.
  private var isAccepted = false
  /// The error of TLS that the library has logged last.
  private var complaint: TLSFailure?
  private var refusal: Int32?
  /// Whether reading is paused, so that the broker has to wait.
  public var isPaused = false {
    didSet {
      guard isPaused != oldValue else { return }
      // The broker's time to reply begins when reading does.
      if !isPaused { resumeKeepalive() }
      updateInterest()
    }
  }
  /// The numbers of bytes received since the connection began, and since the last complete packet.
  private var (received, unfinished): (UInt64, UInt64) = (0, 0)
  /// `lastRead` and `lastWrite`: the times of the last read and the last write of a packet, in ns since boot.
  private var lastRead: Int64 = 0
  private var lastWrite: Int64 = 0
  /// Whether a packet that the broker must answer was sent, and nothing was read since.
  private var isProbed = false
  /// Whether a ping has no reply, which may come after much unread data.
  private var isPingOpen = false
  /// The library's log lines for a ping and its reply.
  private let (pingLine, answerLine): (String, String)

  private static let libraryStarted: Bool = { mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue }()
  /// The seconds in which a packet must be read after a ping.
  private static let pingPatience: Int64 = 5
  private static let second: Int64 = 1_000_000_000
  /// The maximum length of a packet in bytes; the library would read 256 MiB into memory. Brokers for MQTT 5 do not
  /// send packets beyond ``MQTTSettings/maximumPacket``.
  static let maximumPacket = 16 << 20
  /// The process's limit of memory in bytes: two copies of the longest packet, and 16 MiB for the rest. The library
  /// reads as long as the broker sends; the allocation for a much longer packet fails, which ends the connection.
  public static let memory: UInt64 = 48 << 20

  /// Begins to connect. The first report, also of a failure, comes later from the loop.
  public init(
    loop: EventLoop, _ settings: MQTTSettings, _ report: @escaping (Report) -> Void
  ) throws(SystemError) {
    guard Self.libraryStarted, let handle = unsafe mosquitto_new(settings.clientID, true, nil) else {
      throw SystemError("start libmosquitto", code: ENOMEM)
    }
    unsafe self.handle = handle
    self.loop = loop
    self.report = report
    keepalive = Int64(settings.keepalive) * Self.second
    version = settings.version
    (pingLine, answerLine) = (
      "Client \(settings.clientID) sending PINGREQ", "Client \(settings.clientID) received PINGRESP"
    )
    unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    setCallbacks()
    timer = try loop.timer { [unowned self] in tick() }
    later = try loop.deferred(priority: .normal) { [unowned self] in deliverReports() }
    let failure = configure(settings) ?? connect(settings)
    if let failure { end(failure) }
    timer?.arm(at: Clock.boottime() + settings.patience * Self.second)
    // The reports are delivered from the loop.
    later?.schedule()
    updateInterest()
  }

  deinit {
    source = nil
    unsafe mosquitto_destroy(handle)
  }

  private func configure(_ settings: MQTTSettings) -> MQTTFailure? {
    let protocolVersion = settings.version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, Int32(protocolVersion))
    unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
    if let user = settings.user { unsafe mosquitto_username_pw_set(handle, user, settings.password) }
    if let will = settings.will {
      var properties: OpaquePointer?
      if settings.version == .v5 {
        _ = unsafe mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_WILL_DELAY_INTERVAL.rawValue), 5)
      }
      // The library frees the properties of a will.
      let bytes = Array(will.payload.utf8)
      _ = unsafe mosquitto_will_set_v5(
        handle, will.topic, Int32(bytes.count), bytes, will.quality, will.isRetained, properties)
    }
    guard let tls = settings.tls else { return nil }
    let folder = tls.authorities == nil ? tls.systemAuthorities : nil
    let isSet = unsafe mosquitto_tls_set(handle, tls.authorities, folder, tls.certificate, tls.key, nil)
    guard isSet == MOSQ_ERR_SUCCESS.rawValue else { return .files }
    // TLS 1.2 and later.
    let isLimited = unsafe mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nil)
    return isLimited == MOSQ_ERR_SUCCESS.rawValue ? nil : .files
  }

  private func connect(_ settings: MQTTSettings) -> MQTTFailure? {
    if settings.version == .v5 {
      // Only the blocking call accepts properties. Without a valid port it stores them and connects to nothing.
      var properties: OpaquePointer?
      _ = unsafe mosquitto_property_add_int32(
        &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), settings.maximumPacket)
      _ = unsafe mosquitto_connect_bind_v5(handle, settings.host, -1, 60, nil, properties)
      unsafe mosquitto_property_free_all(&properties)
    }
    errno = 0
    let result = unsafe mosquitto_connect_async(handle, settings.host, Int32(settings.port), Int32(settings.keepalive))
    if result != MOSQ_ERR_SUCCESS.rawValue { return failure(result, errno) }
    let number = unsafe mosquitto_socket(handle)
    guard number >= 0 else { return .lost(nil) }
    // The library closes its socket before it reports that; this copy stays open until the source has left the loop.
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return .system(errno) }
    let socket = FileDescriptor(owning: copy)
    self.socket = socket
    interest = [.readable, .writable]
    do {
      source = try loop.watch(socket, for: interest) { [unowned self] found in ready(found) }
      return nil
    } catch {
      return .system(error.code)
    }
  }

  /// Publishes a message; returns its number, under which ``Report/acknowledged(_:code:)`` follows for quality 1.
  public func publish(_ message: MQTTMessage) -> Int32? {
    guard !isEnded else { return nil }
    var number: Int32 = 0
    let bytes = Array(message.payload.utf8)
    let result = unsafe mosquitto_publish_v5(
      handle, &number, message.topic, Int32(bytes.count), bytes, message.quality, message.isRetained, nil)
    after(result)
    return result == MOSQ_ERR_SUCCESS.rawValue ? number : nil
  }

  /// Subscribes; ``Report/subscribed(_:isGranted:)`` follows with the returned number.
  ///
  /// - Parameters:
  ///   - isWithoutOwn: whether the broker does not send back messages of this client. MQTT 5 only.
  ///   - showsRetained: whether a message keeps the retain flag with which it was published. MQTT 5 only.
  public func subscribe(_ filter: String, quality: Int32, isWithoutOwn: Bool, showsRetained: Bool) -> Int32? {
    guard !isEnded else { return nil }
    var number: Int32 = 0
    var options: Int32 = 0
    if version == .v5, isWithoutOwn { options |= Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue) }
    if version == .v5, showsRetained { options |= Int32(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue) }
    let result = unsafe mosquitto_subscribe_v5(handle, &number, filter, quality, options, nil)
    after(result)
    return result == MOSQ_ERR_SUCCESS.rawValue ? number : nil
  }

  /// Closes the connection properly: the broker publishes no will. No report follows.
  public func disconnect() {
    guard !isEnded else { return }
    _ = unsafe mosquitto_disconnect_v5(handle, 0, nil)
    // Writes as much as the kernel accepts at once. A broker that does not read publishes the will.
    for _ in 0..<64 where unsafe mosquitto_want_write(handle) {
      guard unsafe mosquitto_loop_write(handle, 1) == MOSQ_ERR_SUCCESS.rawValue else { break }
    }
    isSilent = true
    linger()
    close()
  }

  /// Reads and drops the broker's data until the broker closes the connection: closing a socket with unread bytes
  /// resets the connection, and the broker drops its unread data.
  private func linger() {
    guard let socket else { return }
    let (patience, begun) = (500_000_000 as Int64, Clock.boottime())
    shutdown(socket.number, Int32(SHUT_WR))
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = patience - (Clock.boottime() - begun)
      var one = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      guard left > 0, unsafe poll(&one, 1, Int32(left / 1_000_000)) == 1 else { return }
      let count = unsafe recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count > 0 || count < 0 && errno == EINTR else { return }
    }
  }

  // MARK: The loop

  private func ready(_ readiness: EventLoop.Readiness) {
    withExtendedLifetime((self, socket)) {
      if !isAccepted, readiness.contains(.failed) || readiness.contains(.hungUp),
        let failure = socketFailure(isHungUp: readiness.contains(.hungUp))
      {
        // The broker may have sent a reason before it closed the connection.
        if readiness.contains(.readable) { _ = unsafe mosquitto_loop_read(handle, 20) }
        end(complaint.map(MQTTFailure.tls) ?? failure)
      }
      isReached = true
      let now = Clock.boottime()
      // Only reading continues the library's TLS handshake, even if the next step is to write.
      if !isEnded, !isAccepted, readiness == .writable { perform { unsafe mosquitto_loop_read(handle, 20) } }
      if !isEnded, readiness.contains(.writable) {
        lastWrite = now
        perform { unsafe mosquitto_loop_write(handle, 1) }
      }
      // Reads more than one packet, because OpenSSL may hold more than the socket.
      if !isEnded, readiness != .writable {
        lastRead = now
        let count = found.count
        perform(withoutMemory: .tooLong) { unsafe mosquitto_loop_read(handle, 20) }
        measure(hasPacket: found.count > count)
        if isProbed { armKeepalive() }
      }
      // Writes the first packet, once TLS has begun.
      if !isEnded, !isAccepted { perform { unsafe mosquitto_loop_write(handle, 1) } }
      deliverReports()
    }
  }

  /// Ends the connection if the broker sends too long a packet, which the library reports only after it is complete.
  private func measure(hasPacket: Bool) {
    guard let total = bytesReceived() else { return }
    let count = total - min(received, total)
    received = total
    // Pings have no callback. With TLS a ping takes up to 31 bytes.
    if hasPacket { unfinished = 0 } else if count > 64 { unfinished += count }
    if unfinished > Self.maximumPacket { end(.tooLong) }
  }

  /// The bytes that the kernel has received on the connection.
  private func bytesReceived() -> UInt64? {
    guard let socket else { return nil }
    // tcpi_bytes_received of linux/tcp.h, which the C library's tcp_info lacks.
    let offset = 128
    var info = [UInt8](repeating: 0, count: offset + 8)
    var size = socklen_t(info.count)
    let result = unsafe getsockopt(socket.number, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
    guard result == 0, size == info.count else { return nil }
    return unsafe info.withUnsafeBytes { bytes in unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  }

  /// Sends a packet when one is due, and detects a broker that no longer sends.
  private func tick() {
    withExtendedLifetime((self, socket)) {
      guard isAccepted else {
        end(.silent)
        return deliverReports()
      }
      let now = Clock.boottime()
      // While reading is paused, a missing reply proves nothing, but the broker must still hear from this client.
      if isPaused { (lastRead, isProbed) = (now, false) }
      if isProbed {
        end(.silent)
      } else if min(lastRead, lastWrite) + keepalive > now {
        armKeepalive()
      } else {
        probe()
        (isProbed, lastWrite) = (true, now)
        timer?.arm(at: now + Self.pingPatience * Self.second)
      }
      deliverReports()
    }
  }

  /// Sends a packet that the broker must answer.
  private func probe() {
    let wasOpen = isPingOpen
    // The library ends a connection whose last ping has no reply, even if other packets arrive before that reply.
    if !wasOpen { perform { unsafe mosquitto_loop_misc(handle) } }
    guard !isEnded, wasOpen || !isPingOpen else { return }
    // The subscription does not exist.
    perform { unsafe mosquitto_unsubscribe(handle, nil, "keepalive") }
  }

  /// Waits for the next ping: a second more than the keepalive, because the library counts whole seconds, or a quarter
  /// more if that is shorter. The broker allows half a keepalive more. A call every second, as in the library's
  /// manual, would wake the processor for nothing.
  private func armKeepalive() {
    isProbed = false
    timer?.arm(at: min(lastRead, lastWrite) + keepalive + min(Self.second, keepalive / 4))
  }

  private func resumeKeepalive() {
    lastRead = Clock.boottime()
    armKeepalive()
  }

  private func perform(withoutMemory: MQTTFailure = .system(ENOMEM), _ body: () -> Int32) {
    errno = 0
    let result = body()
    let code = errno
    if result == MOSQ_ERR_NOMEM.rawValue {
      end(withoutMemory)
    } else if result != MOSQ_ERR_SUCCESS.rawValue {
      end(failure(result, code))
    }
  }

  private func after(_ result: Int32) {
    lastWrite = Clock.boottime()
    // The next connection repeats messages that were dropped for lack of memory.
    let ends = [MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_NOMEM]
    if ends.contains(where: { $0.rawValue == result }) { end(failure(result, errno)) }
    if unsafe !found.isEmpty || isEnded || mosquitto_want_write(handle) { later?.schedule() }
  }

  /// Delivers the reports of callbacks, and waits for the events that the library needs.
  private func deliverReports() {
    withExtendedLifetime(self) {
      while !found.isEmpty {
        let reports = found
        found = []
        // A report may end the connection; then no other follows.
        for one in reports where !isSilent { report(one) }
      }
      updateInterest()
    }
  }

  private func updateInterest() {
    guard !isEnded else { return }
    var wanted: EventLoop.Readiness = isPaused ? [] : .readable
    if wantsToWrite() { wanted.insert(.writable) }
    guard wanted != interest else { return }
    interest = wanted
    source?.wait(for: wanted)
  }

  private func wantsToWrite() -> Bool {
    // During the TLS handshake, the library keeps wanting to write while it waits for the broker.
    guard isAccepted else { return !isReached || !isWritable() }
    return unsafe mosquitto_want_write(handle)
  }

  /// Whether the kernel accepts bytes now.
  private func isWritable() -> Bool {
    guard let socket else { return false }
    var one = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&one, 1, 0) == 1
  }

  private func end(_ failure: MQTTFailure) {
    guard !isEnded else { return }
    close()
    found.append(.ended(failure))
    later?.schedule()
  }

  private func close() {
    isEnded = true
    source = nil
    socket = nil
    timer = nil
  }

  private func socketFailure(isHungUp: Bool) -> MQTTFailure? {
    guard let socket else { return nil }
    var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    guard unsafe getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return nil }
    // A failed write of TLS's first bytes consumes the error. If there was no event before, the connection was refused.
    return code != 0 ? .system(code) : !isHungUp ? nil : isReached ? .lost(nil) : .system(ECONNREFUSED)
  }

  private func failure(_ result: Int32, _ code: Int32) -> MQTTFailure {
    if let refusal { return .refused(code: refusal) }
    // For example, the broker was killed.
    if isAccepted, complaint == .closed { return .lost(nil) }
    switch result {
    case Int32(MOSQ_ERR_TLS.rawValue), Int32(MOSQ_ERR_TLS_HANDSHAKE.rawValue):
      return .tls(complaint ?? .other("no reason was given"))
    case Int32(MOSQ_ERR_EAI.rawValue), Int32(MOSQ_ERR_LOOKUP.rawValue): return .name
    case Int32(MOSQ_ERR_KEEPALIVE.rawValue): return .silent
    case Int32(MOSQ_ERR_ERRNO.rawValue):
      if let complaint { return .tls(complaint) }
      return code == 0 ? .lost(nil) : .system(code)
    case Int32(MOSQ_ERR_NOMEM.rawValue): return .system(ENOMEM)
    case Int32(MOSQ_ERR_PROTOCOL.rawValue), Int32(MOSQ_ERR_MALFORMED_PACKET.rawValue): return .protocolViolated
    case Int32(MOSQ_ERR_CONN_LOST.rawValue): return complaint.map(MQTTFailure.tls) ?? .lost(nil)
    default:
      if let complaint { return .tls(complaint) }
      return .lost(unsafe String(cString: mosquitto_strerror(result)))
    }
  }

  // MARK: Callbacks

  private static func of(_ context: UnsafeMutableRawPointer?) -> MQTTClient {
    unsafe Unmanaged<MQTTClient>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }

  private func setCallbacks() {
    unsafe mosquitto_connect_v5_callback_set(handle) { _, context, code, _, properties in
      let client = unsafe MQTTClient.of(context)
      if code == 0 {
        var seconds: UInt16 = 0
        _ = unsafe mosquitto_property_read_int16(
          properties, Int32(MQTT_PROP_SERVER_KEEP_ALIVE.rawValue), &seconds, false)
        if seconds > 0 { client.keepalive = min(client.keepalive, Int64(seconds) * MQTTClient.second) }
        client.isAccepted = true
        (client.lastRead, client.lastWrite) = (Clock.boottime(), Clock.boottime())
        client.armKeepalive()
        client.found.append(.connected)
      } else {
        client.refusal = code
      }
    }
    unsafe mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
      // A reason from the broker; results of the library are below 128.
      if code >= 128 { unsafe MQTTClient.of(context).refusal = code }
    }
    unsafe mosquitto_publish_v5_callback_set(handle) { _, context, number, code, _ in
      unsafe MQTTClient.of(context).found.append(.acknowledged(number, code: code))
    }
    unsafe mosquitto_subscribe_v5_callback_set(handle) { _, context, number, count, granted, _ in
      let isGranted = (0..<Int(count)).allSatisfy { index in unsafe (granted?[index] ?? 128) < 128 }
      unsafe MQTTClient.of(context).found.append(.subscribed(number, isGranted: isGranted))
    }
    unsafe mosquitto_message_v5_callback_set(handle) { _, context, message, _ in
      guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
      let count = unsafe max(0, Int(message.payloadlen))
      let bytes = unsafe UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : count)
      let received = unsafe MQTTReceived(
        topic: String(cString: topic), payload: Array(bytes.prefix(MQTTReceived.maximumLength)),
        isRetained: message.retain)
      unsafe MQTTClient.of(context).found.append(.message(received))
    }
    unsafe mosquitto_log_callback_set(handle) { _, context, level, text in
      guard let text = unsafe text else { return }
      let client = unsafe MQTTClient.of(context)
      if level == MOSQ_LOG_DEBUG {
        // Whole lines are compared, because other log lines quote topics of strangers.
        if unsafe strcmp(text, client.pingLine) == 0 { client.isPingOpen = true }
        if unsafe strcmp(text, client.answerLine) == 0 { client.isPingOpen = false }
      }
      guard level == MOSQ_LOG_ERR else { return }
      let words = unsafe String(cString: text)
      if words.hasPrefix("Error: host name verification failed") {
        client.complaint = .wrongName
      } else if let reason = words.split(separator: ":").last, words.hasPrefix("OpenSSL Error"),
        client.complaint != .wrongName
      {
        // "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"
        client.complaint = TLSFailure(
          reason: String(reason.drop { $0 == " " }), result: unsafe mosquitto_verify_result(client.handle))
      }
    }
  }
}
