import Board
import CoreAPI
import Linux
import Varlink

/// A connection to the core for calls, opened by the first call and, after a loss, by the next one.
final class CoreCaller {
  private let loop: EventLoop
  private let paths: [String]
  private var client: AsyncClient?
  /// The closures of calls without a reply, by number; called if the connection is lost.
  private var waiting: [Int: () -> Void] = [:]
  private var lastNumber = 0

  /// - Parameter paths: sockets of the core, tried in this order.
  init(loop: EventLoop, paths: [String]) { (self.loop, self.paths) = (loop, paths) }

  /// Returns the connection, and a closure that passes the answer on to `reply`; `nil` without a core.
  ///
  /// `reply` runs once: with the first answer, or with `lost` if the connection is lost before.
  func begin<Answer>(
    _ reply: @escaping (Answer) -> Void, ifLost lost: Answer
  ) -> (client: AsyncClient, answer: (Answer) -> Void)? {
    guard let client = connected() else { return nil }
    lastNumber += 1
    let number = lastNumber
    waiting[number] = { reply(lost) }
    return (
      client,
      { [unowned self] answer in
        guard waiting.removeValue(forKey: number) != nil else { return }
        reply(answer)
      }
    )
  }

  private func connected() -> AsyncClient? {
    if let client, client.isOpen { return client }
    for path in paths {
      guard let client = try? AsyncClient(loop: loop, path: path) else { continue }
      client.onClosed = { [unowned self] _ in
        self.client = nil
        let lost = waiting
        waiting = [:]
        for answer in lost.values { answer() }
      }
      self.client = client
      return client
    }
    return nil
  }
}
