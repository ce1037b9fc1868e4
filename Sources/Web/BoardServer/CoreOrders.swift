import Board
public import Linux
import NIOCore
import Synchronization

/// Passes orders of pages from the server's thread to the thread that has the connection to the core.
public final class CoreOrders: Sendable {
  private let waiting = Mutex(Waiting())
  private let wakeup: Wakeup

  private struct Waiting {
    var jobs: [Job] = []
    var isInquiring = false
  }

  private struct Job: Sendable {
    let order: Routes.Order
    let device: PairedDevices.Device?
    let client: String?
    let reply: @Sendable (Routes.Content) -> Void
  }

  /// The maximum number of simultaneous orders; each page waits for one response before it sends the next order.
  private static let most = 1024

  public init() throws(SystemError) { wakeup = try Wakeup() }

  /// Makes `link` perform the orders, as long as the returned source lives. Called by the thread of `loop`.
  public func watch(on loop: Linux.EventLoop, link: CoreLink) throws(SystemError) -> DescriptorSource {
    try wakeup.watch(on: loop, priority: .normal) { [unowned self, unowned link] in
      let found = waiting.withLock { waiting in
        defer { waiting = Waiting() }
        return waiting
      }
      if found.isInquiring { link.inquire() }
      for job in found.jobs { link.perform(job.order, of: job.device, at: job.client, reply: job.reply) }
    }
  }

  /// Makes the link ask the core for the conditions.
  func inquire() {
    waiting.withLock { $0.isInquiring = true }
    wakeup.signal()
  }

  /// Sends an order; `reply` runs on `loop` with the response.
  ///
  /// - Parameter client: the client's address; `nil` for this machine.
  func send(
    _ order: Routes.Order, of device: PairedDevices.Device?, at client: String?,
    answeringOn loop: any NIOCore.EventLoop,
    reply: @escaping @Sendable (Routes.Content) -> Void
  ) {
    let job = Job(order: order, device: device, client: client) { content in loop.execute { reply(content) } }
    let isTaken = waiting.withLock { waiting in
      guard waiting.jobs.count < Self.most else { return false }
      waiting.jobs.append(job)
      return true
    }
    if isTaken { wakeup.signal() } else { reply(.noCore) }
  }
}
