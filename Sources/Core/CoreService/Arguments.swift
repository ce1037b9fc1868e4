import CoreAPI
import Counting
import JSON
import Varlink

/// The parameters of a call. Their types were already checked against the interface.
struct Arguments {
  private let values: JSONObject
  /// The path of these values in the call, for errors: "cause." or "changes[3].".
  private let path: String

  init(_ call: Call) { self.init(call.parameters) }

  init(_ parameters: JSONObject) {
    values = parameters
    path = ""
  }

  init(_ value: JSON, path: String) {
    values = value.object ?? [:]
    self.path = path
  }

  subscript(name: Counters.Parameter) -> JSON? { values[name] }

  func integer(_ name: Counters.Parameter) -> Int64? { values[name]?.int }

  func text(_ name: Counters.Parameter) -> String? { values[name]?.string }

  /// The named counter, or the current one.
  func target(_ name: Counters.Parameter) -> Change.Target { text(name).map(Change.Target.named) ?? .current }

  /// Refuses members that would be ignored: an undo with a group would undo the last event of all.
  func refuseMembers(except known: [Counters.Change.Member]) throws(VarlinkError) {
    for (name, value) in values where value != .null && !known.contains(where: { $0.rawValue.text == name }) {
      throw .invalidParameter(path + name)
    }
  }

  func invalid(_ name: Counters.Parameter) -> VarlinkError { .invalidParameter(path + name.rawValue.text) }

  /// A text of a cause: 1 to 128 bytes without control characters.
  func label(_ name: Counters.Parameter) throws(VarlinkError) -> String? {
    guard let text = text(name) else { return nil }
    guard Cause.isLabel(text) else { throw invalid(name) }
    return text
  }

  func producer() throws(VarlinkError) -> String {
    guard let producer = try label(.producer) else { throw invalid(.producer) }
    return producer
  }

  /// The cause in the call; the default has the producer "client".
  func cause() throws(VarlinkError) -> Cause {
    guard let stated = values[Counters.Parameter.cause], stated != .null else { return Cause(producer: "client") }
    let cause = Arguments(stated, path: "cause.")
    return Cause(producer: try cause.producer(), device: try cause.label(.device), gesture: try cause.label(.gesture))
  }
}
