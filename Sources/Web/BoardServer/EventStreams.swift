import Board
import CoreAPI
import Linux
import NIOCore
import Tallymark

/// All open streams, and the state that they show. Used by the thread of its event loop only.
final class EventStreams {
  private let loop: NIOIsolatedEventLoop
  private var viewers: [ObjectIdentifier: Viewer] = [:]
  private var state = BoardState()
  private var conditions = BoardConditions()
  /// Makes the link ask the core for the conditions.
  private let inquire: () -> Void
  /// The time of the loss of the core, in nanoseconds since boot; `nil` while there is a core.
  private var absence: Int64? = Clock.boottime()
  /// The time of the last message of the core, in nanoseconds since boot.
  private var heard: Int64 = 0
  /// Whether the core is considered lost because it does not reply: a hanging one keeps its connections.
  private var isSilent = false
  /// The changes of each counter that have not been sent to viewers.
  private var pending: [Int64: PendingChange] = [:]
  /// Counters whose changes were sent within the last `pace`.
  private var recent: Set<Int64> = []

  private struct Viewer {
    var device: PairedDevices.Device?
    let send: (ByteBuffer) -> Void
    let isWritable: () -> Bool
    /// Whether messages were dropped because the viewer's buffer was full.
    var isBehind = false
  }

  /// The shortest time between two messages about one counter: a person does not see more than 20 a second.
  private static let pace = TimeAmount.milliseconds(50)
  private static let beat = TimeAmount.seconds(5)
  /// The time without a reply of the core after which its numbers are old.
  private static let patience = TimeAmount.seconds(3)

  /// - Parameter inquire: asks the core for the conditions; called while there are viewers.
  init(loop: any NIOCore.EventLoop, inquire: @escaping () -> Void) {
    self.inquire = inquire
    self.loop = loop.assumeIsolated()
    beatLater()
  }

  /// The icons that pages show; `nil` without a core.
  var icons: Set<String>? { absence == nil ? state.icons : nil }

  // MARK: Viewers

  /// Begins a stream with the whole state.
  ///
  /// - Parameter device: the paired device of the viewer, which may count; `nil` for any other viewer.
  func add(_ channel: any Channel, of device: PairedDevices.Device?, send: @escaping (ByteBuffer) -> Void) {
    inquire()
    viewers[ObjectIdentifier(channel)] = Viewer(
      device: device, send: send, isWritable: { channel.isWritable })
    // Pages that have lost the board at the same time reconnect at different times.
    send(ByteBuffer(bytes: BoardMessage.retry(.random(in: 500...3000))))
    send(ByteBuffer(bytes: you(device)))
    send(ByteBuffer(bytes: whole()))
  }

  func remove(_ channel: any Channel) { viewers[ObjectIdentifier(channel)] = nil }

  /// Informs the pages of a device that it may only watch from now on.
  func revoke(_ device: String) {
    for (id, viewer) in viewers where viewer.device?.id == device {
      viewers[id]?.device = nil
      tellRights(to: viewers[id])
    }
  }

  private func tellRights(to viewer: Viewer?) {
    guard let viewer else { return }
    viewer.send(ByteBuffer(bytes: you(viewer.device)))
  }

  /// Handles a change of the channel's free space.
  func writabilityChanged(of channel: any Channel) {
    let id = ObjectIdentifier(channel)
    guard channel.isWritable, let viewer = viewers[id], viewer.isBehind else { return }
    viewers[id]?.isBehind = false
    viewer.send(ByteBuffer(bytes: whole()))
  }

  /// Ends all streams.
  func close() {
    tell(BoardMessage.bye)
    viewers = [:]
  }

  // MARK: The core

  /// Replaces the state, and sends it to all viewers.
  func begin(_ state: BoardState) {
    self.state = state
    heard = Clock.boottime()
    isSilent = false
    absence = nil
    pending = [:]
    tell(whole())
  }

  /// Records a message of the core. If the core was silent, sends the whole state to all viewers.
  private func hear() {
    heard = Clock.boottime()
    guard isSilent else { return }
    begin(state)
  }

  /// Checks that the core has replied to the question.
  ///
  /// - Parameter time: the time of the question, in nanoseconds since boot. The question is left out if another one was
  ///   asked shortly before.
  private func checkAnswer(to time: Int64) {
    guard absence == nil, heard < time - CoreInquiry.pace else { return }
    isSilent = true
    lose(since: heard)
  }

  /// Handles the loss of the core.
  func lose() {
    isSilent = false
    if absence == nil { lose(since: Clock.boottime()) }
  }

  private func lose(since time: Int64) {
    absence = time
    flushAll()
    let now = Clock.microsecondsSince1970()
    tell(BoardMessage.absence(since: Self.wallTime(of: time, now: now), now: now))
  }

  func take(_ conditions: BoardConditions) {
    hear()
    let before = self.conditions
    self.conditions = conditions
    if conditions.mayCount != before.mayCount { for viewer in viewers.values { tellRights(to: viewer) } }
    guard conditions.missing != before.missing else { return }
    tell(BoardMessage.fleet(conditions.missing, now: Clock.microsecondsSince1970()))
  }

  /// Applies a change, and sends it to viewers.
  func take(_ reply: Counters.WatchReply) {
    _ = state.take(reply)
    hear()
    guard !viewers.isEmpty else { return }
    let change = PendingChange(reply)
    guard let id = reply.counter?.id else { return tell(change) }
    // The name of a group changed. The whole state follows.
    if reply.event == nil { return }
    guard recent.contains(id) else {
      recent.insert(id)
      loop.scheduleTask(in: Self.pace) { [weak self] in self?.flush(id) }
      return tell(change)
    }
    pending[id] = pending[id]?.followed(by: change) ?? change
  }

  /// Sends the pending changes of a counter, and repeats that at the pace as long as there are more.
  private func flush(_ id: Int64) {
    guard let change = pending.removeValue(forKey: id) else {
      recent.remove(id)
      return
    }
    tell(change)
    loop.scheduleTask(in: Self.pace) { [weak self] in self?.flush(id) }
  }

  private func flushAll() {
    for change in pending.values { tell(change) }
    pending = [:]
  }

  // MARK: Telling

  private func whole() -> [UInt8] {
    let now = Clock.microsecondsSince1970()
    return BoardMessage.state(
      state, conditions, version: Product.version, now: now, absence: absence.map { Self.wallTime(of: $0, now: now) })
  }

  /// Converts nanoseconds since boot to microseconds since 1970, by the present wall clock.
  private static func wallTime(of time: Int64, now: Int64) -> Int64 { now - (Clock.boottime() - time) / 1000 }

  private func you(_ device: PairedDevices.Device?) -> [UInt8] {
    BoardMessage.you(device, mayCount: conditions.mayCount, now: Clock.microsecondsSince1970())
  }

  private func beatLater() {
    loop.scheduleTask(in: Self.beat) { [weak self] in
      guard let self else { return }
      tell(BoardMessage.beat(sequence: state.sequence, now: Clock.microsecondsSince1970()))
      beatLater()
      guard !viewers.isEmpty else { return }
      inquire()
      let now = Clock.boottime()
      loop.scheduleTask(in: Self.patience) { [weak self] in self?.checkAnswer(to: now) }
    }
  }

  private func tell(_ change: PendingChange) {
    tell(BoardMessage.change(change, in: state, now: Clock.microsecondsSince1970()))
  }

  /// Sends the same bytes to all viewers. A viewer with unread messages later gets the whole state instead.
  private func tell(_ bytes: [UInt8]) {
    let buffer = ByteBuffer(bytes: bytes)
    for (id, viewer) in viewers {
      if viewer.isBehind { continue }
      if viewer.isWritable() { viewer.send(buffer) } else { viewers[id]?.isBehind = true }
    }
  }
}
