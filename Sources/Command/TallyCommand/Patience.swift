import ArgumentParser
import CoreAPI
import Glibc
import Linux
import Varlink

/// The steps of `tally` while the core does not reply: it prints a remark, waits, and ends after a bounded time.
struct Patience {
  /// The seconds of silence after which a person is told.
  static let remark = 2
  /// The time without a reply after which a core is considered to hang, in milliseconds.
  static let ofLife: Int32 = 2000
  /// The seconds of silence after which `tally` ends: for most requests, and for requests that may make millions of
  /// changes.
  static let (most, longest) = (60, 3600)

  /// Whether the request may make many changes, such as an import or the undo of an import.
  let isLong: Bool

  /// The reaction to a number of seconds without a reply.
  enum Step: Equatable {
    case wait
    case remark(String)
    case end(String)
  }

  /// - Parameters:
  ///   - seconds: a multiple of ``remark``.
  ///   - isConnected: whether the core was asked for something; otherwise its queue of new connections is full.
  func step(after seconds: Int, isConnected: Bool = true) -> Step {
    let limit = isLong ? Self.longest : Self.most
    if seconds >= limit {
      guard isConnected else {
        return .end(
          "The core has not answered for \(seconds) seconds. Nothing was sent to it yet. “tally doctor” finds out "
            + "what is wrong.")
      }
      return .end(
        "The core has not answered for \(seconds) seconds. It is not known whether it did, or will do, what was asked: once "
          + "it answers, tally history shows it. “tally doctor” finds out what is wrong.")
    }
    return seconds == Self.remark
      ? .remark("The core does not answer. Waiting for at most \(limit - seconds) more seconds.") : .wait
  }

  /// Takes a step: waits on, prints the remark, or ends `tally`.
  func take(_ step: Step) {
    switch step {
    case .wait: break
    case .remark(let text): Output.complain(text)
    case .end(let text):
      Output.complain(text)
      exit(CoreClient.unavailable.rawValue)
    }
  }
}
