import Bridge
import CoreAPI
import Fleet
import JSON
import Linux
import MQTT
import Varlink

/// Commands from the broker. The journal records the performed commands: each event has the ID of its command, so that
/// a repeat is detected even after a restart.
extension MQTTBridge {
  /// The maximum number of commands that wait until the journal was read.
  private static let mostWaiting = 256
  /// The maximum number of calls of the core without a reply.
  private static let mostUnderWay = 256
  /// The maximum number of calls for reading: a long search returns early.
  private static let mostPages = 32

  func takeCommand(_ message: MQTTReceived) {
    // A broker need not keep to the subscriptions.
    guard isObeying else { return }
    // A broker would repeat a retained command at each start.
    guard !message.isRetained else {
      return note("A retained command is ignored; publish commands without the retain flag.")
    }
    do throws(Command.Fault) {
      let command = try Command(parsing: message.payload)
      guard core.isOpen else { return note("A command is lost: there is no core.") }
      guard command.id != nil, recentCommands == nil else { return take(command) }
      guard waitingCommands.count < Self.mostWaiting else {
        return note("A command is dropped: the bridge does not know yet which commands were carried out.")
      }
      waitingCommands.append(command)
      if waitingCommands.count == 1 { readCommands() }
    } catch {
      note(error.text, isQuote: true)
    }
  }

  /// Repeats the questions that were lost with the former connection to the core.
  func readCommandsAgain() {
    if !waitingCommands.isEmpty { readCommands() }
    unresolvedCommands.forgetQuestion()
    resolve()
  }

  /// Reads the IDs of the last commands in the journal, newest first.
  private func readCommands(before: Int64? = nil, page: Int = 1, _ newer: [String] = []) {
    core.commands(before: before) { [unowned self] result in
      guard case .success(let reply) = result else {
        note("The core does not tell this user the history, so that a command may act twice after a restart.")
        return admit(newer)
      }
      let ids = newer + reply.events.compactMap(Command.id)
      guard ids.count < RecentCommands.capacity, page < Self.mostPages, reply.isMore, let next = reply.next
      else { return admit(ids) }
      readCommands(before: next, page: page + 1, ids)
    }
  }

  private func admit(_ newest: [String]) {
    // A second reading lacks commands that have acted since the first one.
    guard recentCommands == nil else { return }
    var recent = RecentCommands()
    for id in newest.prefix(RecentCommands.capacity).reversed() { _ = recent.admit(id) }
    recentCommands = recent
    let waiting = waitingCommands
    waitingCommands = []
    waiting.forEach(take)
  }

  private func take(_ command: Command) {
    if let id = command.id, recentCommands?.admit(id) == false { return }
    if let name = name(of: command.counter) { return perform(command, name) }
    // The counter may be shared since the last list.
    guard unresolvedCommands.put(command) else {
      return note("A command is dropped: too many commands name counters that are not shared here.")
    }
    resolve()
  }

  /// Asks the core for its counters, unless a question is open.
  private func resolve() {
    guard unresolvedCommands.ask() else { return }
    core.fleet { [unowned self] result in
      if case .success(let reply) = result { readCounters(reply) }
      for command in unresolvedCommands.answer() {
        if let name = name(of: command.counter) {
          perform(command, name)
        } else {
          note("A command names \"\(command.counter)\", which is no shared counter here.", isQuote: true)
        }
      }
      resolve()
    }
  }

  /// The local name of a shared counter, by name or ID.
  private func name(of counter: String) -> String? {
    if let shared = speech.counters[counter] { return shared.name }
    return speech.counters.values.contains { $0.name == counter } ? counter : nil
  }

  private func perform(_ command: Command, _ name: String) {
    guard core.isOpen else { return note("A command is lost: there is no core.") }
    guard core.unansweredCount < Self.mostUnderWay else {
      return note("A command is lost: the core has not replied to \(Self.mostUnderWay) calls before it.")
    }
    core.perform(command.request(of: name)) { [unowned self] result in
      if case .failure(let error) = result { note("The core refused a command: \(error)", isQuote: true) }
    }
  }
}
