import Bindings
import Gestures
import InputDaemon
import InputDevices
import InputKit
import Testing

/// Who counts the touches of the machine's touchscreens.
struct SeatCheckTests {
  /// A node as sysfs describes it: without the reach of its axes.
  private func screen(_ name: String) -> DeviceNode {
    DeviceNode(
      1, DeviceDescription(name: name, properties: [1], codes: [1: [0x14a], 3: [0, 1, 0x2f, 0x35, 0x36, 0x39]]))
  }

  private func owner(_ text: String, _ names: String...) throws -> SeatCheck {
    SeatCheck(names.map(screen), try Configuration(file: text))
  }

  private let used = "[touchscreens]\nuse = true\n"
  private let ignored = "[[device]]\nname = \"A\"\nignore = true\n"

  @Test func `a configuration that says nothing of touchscreens has no touch counted`() throws {
    #expect(try owner("", "A") == .nobody)
    #expect(try owner(used + ignored) == .nobody)
    #expect(try owner("", "A").json == #"{"owner":"nobody"}"#)
  }

  @Test func `a screen that is ignored belongs to the page`() throws {
    #expect(try owner(ignored, "A") == .page)
    #expect(try owner(used + ignored, "A") == .page)
    #expect(try owner(ignored, "A").json == #"{"owner":"page"}"#)
  }

  @Test func `one screen of the daemon's keeps the page from counting`() throws {
    guard case .daemon = try owner(used + ignored, "A", "B") else {
      Issue.record("the page would count touches that the daemon counts")
      return
    }
  }

  @Test func `the gestures in force are told with their zones, each once, and without those that do nothing`() throws {
    let text =
      used + """
        [zones]
        door = { left = 0.5, top = 0.25 }

        """ + bind("tap", "zone = 'door'", does: "add visitors") + bind("swipe-down", does: "nothing")
      + bind("swipe-up", "fingers = 2", does: "undo")
    let expected = [
      #"{"gesture":"tap","do":"add visitors","zone":[0.5,0.25,1.0,1.0]}"#,
      #"{"gesture":"swipe up with 2 fingers","do":"undo"}"#,
      #"{"gesture":"tap","do":"add"}"#,
    ]
    #expect(try owner(text, "A", "B").json == #"{"owner":"daemon","gestures":[\#(expected.joined(separator: ","))]}"#)
  }
}
