import Board
import CountersAPI
import Platform
import Varlink

/// Performs orders of paired devices, and answers each with content.
final class OrderHandler {
  private let core: CoreCaller
  /// The origins from which each device has counted while the board runs.
  private var origins: [String: Set<String>] = [:]

  private static let mostOrigins = 16

  init(caller: CoreCaller) { core = caller }

  /// Performs an order; `reply` runs once, with status 503 if the connection to the core is lost before.
  ///
  /// - Parameters:
  ///   - device: the paired device; `nil` for any other.
  ///   - state: the state that pages show.
  func perform(
    _ order: Site.Order, of device: PairedDevices.Device?, in state: BoardState, reply: @escaping (Site.Content) -> Void
  ) {
    guard let device else { return reply(.unpaired) }
    guard let (caller, answer) = core.begin(reply, ifLost: .noCore) else { return reply(.noCore) }
    let producer = "tally-board/\(device.id)"
    if let origin = order.origin {
      origins[device.id, default: []].insert(origin)
      guard origins[device.id, default: []].count <= Self.mostOrigins else {
        origins[device.id]?.remove(origin)
        return answer(.tooManyOrigins)
      }
    }
    switch order {
    case .pair, .chart, .metrics: answer(.unpaired)
    case .open(let origin):
      caller.send(.open(producer: device.producer(at: origin))) { answer(.opened($0)) }
    case .undo(let sequence):
      guard state.canUndo(sequence, isSettingUp: device.maySetUp) else { return answer(.tooOldToUndo) }
      let cause = Counters.Cause(producer: producer, device: device.name, gesture: "undo")
      caller.send(.undo(event: sequence).caused(by: cause)) { answer(.changed($0)) }
    case .setUp(let setup):
      guard device.maySetUp else { return answer(.mayNotSetUp) }
      let cause = Counters.Cause(producer: producer, device: device.name, gesture: "setup")
      do throws(Site.Refusal) {
        perform(try setup.requests(in: state)[...], cause, caller, answer)
      } catch {
        return answer(error.content)
      }
    case .deliver(let delivery, let origin):
      let change = EncodedObject(delivery.change(by: device, now: Clock.microsecondsSince1970()).object)
      caller.deliver(
        producer: device.producer(at: origin), epoch: delivery.epoch, sequence: delivery.sequence, [change]
      ) { result in
        answer(.delivered(result.map { Counters.Delivered((try? $0.parsed()) ?? [:]) }))
      }
    }
    caller.flushNow()
  }

  /// Sends one request after the other, up to the first that is refused; answers the last one.
  private func perform(
    _ requests: ArraySlice<Counters.Request<Counters.Changed>>, _ cause: Counters.Cause, _ caller: AsyncClient,
    _ answer: @escaping (Site.Content) -> Void
  ) {
    guard let first = requests.first else { return answer(.nothingToChange) }
    caller.send(first.caused(by: cause)) { [unowned self, unowned caller] result in
      if case .success = result, requests.count > 1 {
        perform(requests.dropFirst(), cause, caller, answer)
      } else {
        answer(.changed(result))
      }
    }
    caller.flushNow()
  }
}
