import Board
import CoreAPI
import JSON
import Linux
import Varlink

/// Performs orders of paired devices, and responds to each with content.
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
    _ order: Routes.Order, of device: PairedDevices.Device?, in state: BoardState,
    reply: @escaping (Routes.Content) -> Void
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
    case .pair, .chart, .history, .metrics, .keep: answer(.unpaired)
    case .open(let origin):
      caller.send(.open(producer: device.producer(at: origin))) { answer(.opened($0)) }
    case .undo(let sequence):
      guard state.canUndo(sequence, isSettingUp: device.maySetUp) else { return answer(.tooOldToUndo) }
      let cause = Counters.Cause(producer: producer, device: device.name, gesture: "undo")
      caller.send(.undo(sequence: sequence).caused(by: cause)) { answer(.changed($0)) }
    case .correct(let counter, let quantity):
      let cause = Counters.Cause(producer: producer, device: device.name, gesture: "correct")
      caller.send(.correct(counter, quantity: quantity).caused(by: cause)) { answer(.changed($0)) }
    case .note(let sequence, let text):
      let cause = Counters.Cause(producer: producer, device: device.name, gesture: "note")
      caller.send(.note(sequence: sequence, text: text).caused(by: cause)) { answer(.changed($0)) }
    case .setUp(let setup):
      guard device.maySetUp else { return answer(.mayNotSetUp) }
      let cause = Counters.Cause(producer: producer, device: device.name, gesture: "setup")
      do throws(Routes.Refusal) {
        perform(try setup.requests(in: state)[...], cause, caller, answer)
      } catch {
        return answer(error.content)
      }
    case .deliver(let delivery, let origin):
      deliver(delivery, of: device, at: origin, caller, answer)
    }
    caller.flushNow()
  }

  /// Sends all changes at once, as numbered deliveries: after a refused one the core counts no later one, and it
  /// replies in order. A note is sent when its change is counted.
  private func deliver(
    _ delivery: Routes.Delivery, of device: PairedDevices.Device, at origin: String, _ caller: AsyncClient,
    _ answer: @escaping (Routes.Content) -> Void
  ) {
    let (now, producer) = (Clock.microsecondsSince1970(), device.producer(at: origin))
    var errors: [VarlinkError?] = []
    var (openNotes, refusedNote) = (0, VarlinkError?.none)
    func answerIfDone() {
      if errors.count == delivery.taps.count, openNotes == 0 { answer(.delivered(errors, refusedNote: refusedNote)) }
    }
    for (index, tap) in delivery.taps.enumerated() {
      let change = EncodedObject(tap.change(by: device, now: now).object)
      caller.deliver(
        producer: producer, epoch: delivery.epoch, sequence: delivery.sequence + Int64(index), [change]
      ) { [unowned caller] result in
        switch result {
        case .failure(let error): errors.append(error)
        case .success(let reply):
          errors.append(nil)
          guard let note = tap.note, !note.isEmpty, let object = try? reply.parsed(),
            let event = Counters.DeliverReply(object).events.first
          else { break }
          openNotes += 1
          let cause = Counters.Cause(producer: "tally-board/\(device.id)", device: device.name, gesture: "note")
          caller.send(.note(sequence: event.sequence, text: note).caused(by: cause)) { result in
            openNotes -= 1
            if case .failure(let error) = result { refusedNote = error }
            answerIfDone()
          }
          caller.flushNow()
        }
        answerIfDone()
      }
    }
  }

  /// Sends requests one after the other, up to the first refusal; responds to the last one sent. A group that is to be
  /// created first may exist already: the state that pages show is told of it a little later.
  private func perform(
    _ requests: ArraySlice<Counters.Request<Counters.EventReply>>, _ cause: Counters.Cause, _ caller: AsyncClient,
    _ answer: @escaping (Routes.Content) -> Void
  ) {
    guard let first = requests.first else { return answer(.nothingToChange) }
    caller.send(first.caused(by: cause)) { [unowned self, unowned caller] result in
      let isReady =
        switch result {
        case .success: true
        case .failure(let error): Counters.Refusal(error)?.name == .groupExists
        }
      if isReady, requests.count > 1 {
        perform(requests.dropFirst(), cause, caller, answer)
      } else {
        answer(.changed(result))
      }
    }
    caller.flushNow()
  }
}
