import CoreAPI
import Linux
import Varlink

/// Finds out whether the core answers: a stopped one keeps its connections open.
final class CoreProbe {
  private let core: CoreCaller
  private var timer: TimerSource?
  private var waiting: [(Bool) -> Void] = []
  /// Whether a question has no answer yet.
  private var isOpen = false

  /// The time for an answer, in nanoseconds.
  private static let patience: Int64 = 2_000_000_000

  init(loop: EventLoop, caller: CoreCaller) throws(SystemError) {
    core = caller
    timer = try loop.timer { [unowned self] in answer(false) }
  }

  /// Asks the core; `reply` runs once. While an earlier question is overdue, the core does not answer.
  func ask(_ reply: @escaping (Bool) -> Void) {
    if isOpen, waiting.isEmpty { return reply(false) }
    waiting.append(reply)
    guard !isOpen else { return }
    let done: (Bool) -> Void = { [unowned self] answers in
      isOpen = false
      answer(answers)
    }
    guard let (caller, answered) = core.begin(done, ifLost: false) else { return answer(false) }
    isOpen = true
    timer?.arm(at: Clock.boottime() + Self.patience)
    // A refusal is an answer as well.
    caller.send(.groups) { _ in answered(true) }
    caller.flushNow()
  }

  private func answer(_ answers: Bool) {
    timer?.disarm()
    let replies = waiting
    waiting = []
    for reply in replies { reply(answers) }
  }
}
