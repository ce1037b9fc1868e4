import CoreAPI
import Linux

extension TerminalKey {
  /// The cause of a change that the key made, the same as in `tally-inputd --terminal`.
  var cause: Counters.Cause {
    Counters.Cause(
      producer: "tally", device: "terminal", gesture: (["press"] + [name].compactMap(\.self)).joined(separator: " "))
  }
}
