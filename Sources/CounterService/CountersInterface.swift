import CounterStore
import Counting
public import Platform
public import Varlink

/// The Varlink interface `org.tallymark.Counters` over a ``Core``.
public final class CountersInterface {
  private let core: Core
  private let watchers: Watchers
  private let rights: LiveRights

  public init(core: Core, rights: LiveRights, loop: EventLoop) throws(SystemError) {
    self.core = core
    self.rights = rights
    watchers = try Watchers(core: core, loop: loop)
    core.onEvents = { [watchers] events in watchers.tell(events) }
    core.beforeChanging = { [watchers] in watchers.tellAll() }
    core.onReplaced = { [watchers] in watchers.startOver() }
  }

  /// Adds the interface to `service`.
  public func serve(on service: Service) throws(Interface.SyntaxError) {
    service.add(try Interface(Self.description)) { [self] call in handle(call) }
    service.onPause = { [core] in if core.isDue { core.settle() } }
  }

  /// Makes durable and tells what is under way, for a program that is about to end.
  public func settle() {
    core.settle()
    watchers.tellAll()
  }

  /// The text that introspection answers.
  public static var description: String {
    String(decoding: PackageResources.org_tallymark_Counters_varlink, as: UTF8.self)
  }

  private func handle(_ call: Call) {
    if let refusal = rights.refusal(of: call) { return call.fail(refusal) }
    switch call.method {
    case "Watch": watchers.add(call)
    case "List", "Get", "History", "Totals", "Statistics", "Past", "Groups", "Overview", "Export": ask(call)
    default: change(call)
    }
  }

  /// Answers a question once all that it may have seen is durable; asks again if that was lost.
  private func ask(_ call: Call) {
    core.readClocks()
    let answer = Result { try Answers.answer(call, core) }
    core.whenDurable { [self] outcome in
      switch outcome {
      case .durable: finish(call, answer)
      case .lost: finish(call, Result { try Answers.answer(call, core) })
      }
    }
  }

  /// Does what was asked, and answers once it is durable.
  private func change(_ call: Call) {
    let isAdministrators = rights.permit(.administer, to: call.peer)
    let result = Result { try Changes.perform(call, core, isAdministrators: isAdministrators) }
    core.whenDurable { [self] outcome in
      switch outcome {
      case .durable: finish(call, result)
      case .lost(let error): finish(call, result.flatMap { _ in .failure(error) })
      }
    }
  }

  private func finish(_ call: Call, _ result: Result<ObjectText, any Error>) {
    switch result {
    case .success(let reply): call.reply(reply)
    case .failure(let error as PermissionDenied): call.fail(rights.refusal(of: error.right, to: error.deed))
    case .failure(let error): call.fail(VarlinkError(error))
    }
  }
}
