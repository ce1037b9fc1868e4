import ArgumentParser
import CoreAPI
import Glibc
import Linux
import Reports
import Text
import Varlink

/// A live display of the counters on a terminal, redrawn in place.
final class LiveBoard {
  /// The minimum time between two drawings, in milliseconds.
  static let pace: Int32 = 100

  /// A second connection; the first one has the stream.
  private var core: CoreClient
  private let keyboard = Keyboard()
  /// Whether the keys of the terminal scroll.
  private let canScroll: Bool
  private var board: Board
  private var drawn: (lines: Int, at: Int64, size: (columns: Int, rows: Int))?
  private var isStale = false
  /// Whether there is no core.
  private var isAway = false
  /// The time of the last query of formulas, which may change with time, in nanoseconds.
  private var refreshedAt: Int64 = 0
  /// The time of the last sign of the core, in nanoseconds.
  private var heardAt = Clock.boottime()
  /// The time of the last sign of a core that hangs, in nanoseconds; `nil` while the core answers. While the core
  /// hangs, the display stands still.
  private var hungSince: Int64?
  private let options: CommonOptions

  /// The time without a sign of the core after which the board asks for one, and the time between two queries of
  /// formulas, in nanoseconds.
  private static let (silence, refreshing): (Int64, Int64) = (3_000_000_000, 1_000_000_000)

  /// - Parameter isBig: whether one counter fills the screen, and keys count.
  init(_ core: CoreClient, _ options: CommonOptions, watching names: [String], isBig: Bool = false) {
    self.core = core
    self.options = options
    core.client.patience = Patience.ofLife
    board = Board(watchesAll: names.isEmpty, isBig: isBig)
    canScroll = keyboard.takeKeys()
  }

  /// Shows that the core is not running; counters and events stay on the screen.
  func lose() {
    let time = LocalTime(microseconds: Clock.microsecondsSince1970()).clock
    board.notice = "The core has closed the connection at \(time). Waiting until it runs again."
    isStale = true
    isAway = true
    rest()
  }

  /// Continues with a core that has started again.
  func use(_ core: CoreClient) {
    self.core = core
    core.client.patience = Patience.ofLife
    isAway = false
    hear()
  }

  private func hear() {
    heardAt = Clock.boottime()
    board.notice = nil
    hungSince = nil
    isStale = true
  }

  /// Calls the core after a silence, so that an old number does not look live.
  private func listen() {
    let lastSign = heardAt
    if core.answers {
      if hungSince == nil { heardAt = Clock.boottime() } else { hear() }
      return
    }
    heardAt = Clock.boottime()
    if hungSince == nil {
      hungSince = lastSign
      let time = LocalTime(microseconds: Clock.microsecondsSince1970() - (heardAt - lastSign) / 1000).clock
      board.notice = "The core has not answered since \(time). Once it does, it may count what was pressed meanwhile."
      isStale = true
    }
    // On the former connection, a late reply would be taken for the reply to another call.
    if let again = CoreClient.ifRunning(options) {
      core = again
      core.client.patience = Patience.ofLife
    }
  }

  /// Waits while there is no core; keys scroll and quit.
  func wait(milliseconds: Int32) {
    let end = Clock.boottime() + Int64(milliseconds) * 1_000_000
    repeat {
      // Without keys there is no input from a terminal.
      if canScroll, !keyboard.hasEnded { press(keyboard.keys(waiting: Self.pace)) } else { _ = usleep(100_000) }
      rest()
    } while Clock.boottime() < end
  }

  private func press(_ keys: [TerminalKey]) {
    let size = Terminal.size
    for key in keys {
      if key == .letter("q") { Watch.exit() }
      if board.isBig { act(key) } else { board.scroll(key, columns: size.columns, rows: size.rows) }
      isStale = true
    }
  }

  /// Counts by a key. A refusal of the core is shown until the next key.
  private func act(_ key: TerminalKey) {
    guard !isAway, hungSince == nil, let request = board.act(key) else { return }
    do { board.notice = try core.refusal(of: request, by: key) } catch { listen() }
  }

  /// Applies a reply of the stream.
  func take(_ reply: Counters.WatchReply) {
    let now = Clock.boottime()
    heardAt = now
    if hungSince != nil { hear() }
    if canScroll { press(keyboard.keys()) }
    let origin = reply.event.flatMap { event in
      EventLine(event).isUnclearWithoutOrigin && !isAway ? (try? core.origin(of: event))?.event : nil
    }
    board.take(reply, origin: origin, at: now)
    isStale = true
    if now - (drawn?.at ?? 0) >= Int64(Self.pace) * 1_000_000 { draw() }
  }

  /// Redraws while no reply arrives: after a burst or a flash, for a running stopwatch or a changed terminal size.
  func rest() {
    if canScroll { press(keyboard.keys()) }
    if !isAway {
      if Clock.boottime() - heardAt > Self.silence { listen() }
      refreshFormulas()
    }
    let size = Terminal.size
    if board.endFlash(at: Clock.boottime()) || board.isRunning && hungSince == nil
      || drawn.map({ $0.size != size }) ?? false
    {
      isStale = true
    }
    if isStale { draw() }
  }

  private func draw() {
    // A lost connection has no replies.
    if !isAway, hungSince == nil { ask() }
    let (size, now) = (Terminal.size, hungSince ?? Clock.boottime())
    let lines = board.lines(columns: size.columns, rows: size.rows, at: now, canScroll: canScroll)
    Output.redraw(lines, over: drawn?.lines ?? 0)
    drawn = (lines.count, now, size)
    isStale = false
  }

  /// Fetches the missing data of the board. An error is printed, and the stream ends with the same error.
  private func ask() {
    let now = Clock.boottime()
    if board.missing == .definitions, let list = try? core.call(.list),
      let groups = try? Overview.groups(
        core, of: list.counters.map(CounterLine.init), list.formulas.map(FormulaLine.init))
    {
      board.set(list, groups, at: now)
    }
    if board.missing == .lastHour,
      let lastHour = try? Overview.lastHour(core, board.names, now: Clock.microsecondsSince1970())
    {
      board.set(lastHour: lastHour)
    }
  }

  private func refreshFormulas() {
    let now = Clock.boottime()
    guard hungSince == nil, board.hasFormulas, now - refreshedAt > Self.refreshing else { return }
    refreshedAt = now
    if let list = try? core.client.call(.list), board.refresh(list) { isStale = true }
  }
}
