import Board
import CoreAPI
import Linux
import Varlink

/// Asks the core for the rights of this process, and for the state of its fleet.
final class CoreInquiry {
  private let core: CoreCaller
  private var fleet = FleetWatch()
  private var last = BoardConditions()
  /// The time before which the core is not asked again.
  private var next: Int64 = 0

  /// The shortest time between two questions, in nanoseconds, because each opened page causes one.
  static let pace: Int64 = 2_000_000_000

  init(caller: CoreCaller) { core = caller }

  /// The rights that the core gives to the user of this process.
  struct Rights {
    var mayRead = true
    var mayCount = true
  }

  /// Asks for the rights; `reply` runs once, with `nil` without a core.
  func rights(_ reply: @escaping (Rights?) -> Void) {
    guard let (caller, answer) = core.begin(reply, ifLost: nil) else { return reply(nil) }
    var rights = Rights()
    caller.send(.groups) { rights.mayRead = !Self.isDenied($0) }
    Self.askWhetherMayCount(caller) { mayCount in
      rights.mayCount = mayCount
      answer(rights)
    }
    caller.flushNow()
  }

  /// Asks for the conditions, unless the last question is recent. `reply` runs once, with the last known conditions if
  /// the connection to the core is lost before.
  func conditions(_ reply: @escaping (BoardConditions) -> Void) {
    guard Clock.boottime() >= next, let (caller, answer) = core.begin(reply, ifLost: last) else { return }
    next = Clock.boottime() + Self.pace
    var conditions = last
    Self.askWhetherMayCount(caller) { conditions.mayCount = $0 }
    caller.send(.fleet()) { [unowned self] result in
      conditions.missing = (try? result.get()).flatMap { fleet.missing(in: $0, now: Clock.microsecondsSince1970()) }
      last = conditions
      answer(conditions)
    }
    caller.flushNow()
  }

  /// Asks for the formulas with their values; `reply` runs once, with none if there is no core.
  func formulas(_ reply: @escaping ([Counters.Formula]) -> Void) {
    guard let (caller, answer) = core.begin(reply, ifLost: []) else { return reply([]) }
    caller.send(.list) { answer((try? $0.get())?.formulas ?? []) }
    caller.flushNow()
  }

  private static func askWhetherMayCount(_ caller: AsyncClient, _ reply: @escaping (Bool) -> Void) {
    // Without the right the core denies permission; with it, there is no such event, and nothing changes.
    caller.send(.note(sequence: 0)) { reply(!isDenied($0)) }
  }

  private static func isDenied<Reply>(_ result: Result<Reply, VarlinkError>) -> Bool {
    guard case .failure(let error) = result else { return false }
    return error == .permissionDenied || Counters.Refusal(error)?.name == .permissionDenied
  }
}
