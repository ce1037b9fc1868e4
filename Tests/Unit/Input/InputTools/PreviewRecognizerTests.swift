import Bindings
import Gestures
import InputDaemon
import InputKit
import InputTools
import Testing

/// What `monitor` recognises is what the gesture daemon does, and what else could be bound.
struct PreviewRecognizerTests {
  private static let pedal = DeviceDescription(
    name: "Pedal", bus: 3, vendor: 0x0c45, product: 0x7403, codes: [1: [30, 48]])

  /// Two presses of 0.1 s, 0.1 s apart, and one of a second.
  private func kinds(_ bound: String) throws -> [Gesture.Kind] {
    let text = "[[device]]\nid = \"0c45:7403\"\n" + bound
    var recognizer = PreviewRecognizer(Self.pedal, by: try Configuration(file: text).preview(of: Self.pedal))
    let edges: [(Int32, Int64)] = [(1, 100), (0, 200), (1, 300), (0, 400), (1, 2000), (0, 3000)]
    return edges.flatMap { value, time in
      recognizer.advance(to: time * 1_000_000) + recognizer.handle(.key(48, value, at: time * 1_000_000))
    }.map(\.kind)
  }

  @Test func `what nothing is bound to is told on top of what counts`() throws {
    #expect(try kinds("") == [.press, .press, .doublePress, .press, .longPress])
  }

  @Test func `a button that sends only a scan code can be bound by it`() throws {
    let rule = try Configuration(file: "").preview(of: Self.pedal)
    var recognizer = PreviewRecognizer(Self.pedal, by: rule)
    let heard = recognizer.handle(Frame((4, 4, 0xc00e9)))
    #expect(heard.map(BindingText.sentence) == ["press of scan code 0xc00e9"])
    #expect(recognizer.reports.isEmpty)
    let binding = try #require(heard.first.flatMap { BindingText.binding(of: $0, .add) })
    #expect(BindingText.lines(binding).contains("scan = 0xc00e9"))
    let text = "[[device]]\nid = \"0c45:7403\"\n" + BindingText.lines(binding).joined(separator: "\n")
    recognizer = PreviewRecognizer(Self.pedal, by: try Configuration(file: text).preview(of: Self.pedal))
    #expect(recognizer.handle(Frame((4, 4, 0xc00e9))).map(\.kind) == [.press])
  }

  @Test func `what is bound comes once, and as it counts`() throws {
    let double = "[[device.bind]]\ngesture = \"double-press\"\ndo = \"undo\"\n"
    #expect(try kinds(double) == [.doublePress, .press, .longPress])
  }
}
