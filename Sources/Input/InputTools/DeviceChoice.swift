import Bindings
import Gestures
import InputDaemon
public import InputDevices
import Linux
public import Tallymark

/// A word of the command line that selects devices: a path (also a link below `/dev/input/by-id`), `eventN`, an ID such
/// as `0c45:7403`, or a pattern for the name; for a motion sensor also its label.
public struct DeviceChoice: Equatable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ word: String) { description = word }

  /// Whether the device is named by its path. Only then is a keyboard recorded, because recordings contain typed text.
  var isPath: Bool { description.contains("/") }

  /// Whether the word names one node, by its path or as `eventN`.
  var isNode: Bool { isPath || isEvent }

  private var isEvent: Bool { description.hasPrefix("event") && description.dropFirst(5).allSatisfy(\.isNumber) }

  public func nodes(among nodes: [DeviceNode]) -> [DeviceNode] {
    if isPath {
      let path = FileContent.realPath(description)
      return nodes.filter { $0.path == path }
    }
    if isEvent {
      return nodes.filter { $0.path == "/dev/input/\(description)" }
    }
    let labelled = nodes.filter { !$0.description.label.isEmpty && $0.description.label == description }
    guard labelled.isEmpty else { return labelled }
    var conditions = DeviceConditions()
    if let identity = DeviceConditions.Identity(description) {
      conditions.identities = [identity]
    } else {
      conditions.names = [description]
    }
    return nodes.filter { conditions.match($0.description) }
  }

  /// The selected nodes; throws if no node is selected.
  public func found(among all: [DeviceNode]) throws(UsageError) -> [DeviceNode] {
    let nodes = nodes(among: all)
    guard nodes.isEmpty else { return nodes }
    throw UsageError("There is no input device “\(description)”; tally-input devices lists those that there are.")
  }

  /// The only selected node; throws if no node or several nodes are selected.
  public func single(among all: [DeviceNode]) throws(UsageError) -> DeviceNode {
    let nodes = try found(among: all)
    guard nodes.count == 1, let node = nodes.first else {
      let list = nodes.map(\.title).joined(separator: ", ")
      throw UsageError("“\(description)” is several devices: \(list). Name one by its path.")
    }
    return node
  }
}
