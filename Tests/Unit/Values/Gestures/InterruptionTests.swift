import Gestures
import Testing

/// Touches of which not everything is known.
@Suite struct InterruptionTests {
  /// A touch that counted in each of them would be somewhere else.
  private static let scenes: [Scene] = [
    Scene(
      "a touch during which events were dropped is nothing, and the next one counts",
      "down 0 0.5 0.5, drop abs 53 510, up 0, 60ms, tap 0.2 0.2", gives: ["tap at 0.2 0.2"]),
    Scene(
      "a finger that lifted while events were dropped does not stay down",
      "down 0 0.5 0.5, drop up 0, tap 0.2 0.2", gives: ["tap at 0.2 0.2"]),
    Scene(
      "a finger that landed while events were dropped makes no gesture, and hinders none beside it",
      "drop slot 0 + id 5 + place 0.1 0.1, 50ms, down 1 0.5 0.5, 90ms, up 1, 60ms, move 0 0.9 0.1, up 0, 60ms, "
        + "down 1 0.5 0.6, 90ms, up 1", gives: ["tap at 0.5 0.5", "tap at 0.5 0.6"]),
    Scene(
      "another finger in the same slot after events were dropped is not the first one's stroke",
      "down 0 0.5 0.1, drop slot 0 + id 77 + abs 54 900, up 0", gives: []),
    Scene(
      "a device that goes away in mid-touch made no gesture",
      "down 0 0.5 0.5, down 1 0.6 0.5, gone, up 0, up 1, tap 0.2 0.2", gives: ["tap at 0.2 0.2"]),
    Scene(
      "several resynchronisations in a row leave nothing behind",
      [5, -1, 6, 6, -1].map { "drop slot 0 + id \($0), " }.joined() + "tap 0.2 0.2", gives: ["tap at 0.2 0.2"]),
    Scene(
      "a touch that ends before it began is no tap, and the next one counts",
      "down 0 0.5 0.5, -900ms, up 0, 160ms, tap 0.2 0.2", gives: ["tap at 0.2 0.2"]),
    Scene(
      "a contact in a slot that no table has room for is not there",
      [64, 1000, Int32.max, -1, .min].map { "down \($0) 0.1 0.1, down 0 0.5 0.5, 90ms, up 0, 60ms, up \($0)" }
        .joined(separator: ","), gives: Array(repeating: "tap at 0.5 0.5", count: 5)),
    Scene(
      "tracking ids at the ends of their range are ids",
      [0, Int32.max, 65535].map { "slot 0 + id \($0) + place 0.5 0.5, 50ms, id \(Int32.min), 50ms" }
        .joined(separator: ","), gives: ["tap", "tap", "tap"]),
  ]

  @Test(arguments: scenes) func `what is not seen is no gesture, and hinders none`(scene: Scene) { scene.check() }

  @Test func `the ends of time are only times`() {
    var hand = Hand()
    for time in [.min, .max, 0, .max, .min] as [Int64] {
      for id in [1, -1] as [Int32] {
        let events = [(0x2f, 0), (0x39, id), (0x35, 500), (0x36, 500)].map {
          InputEvent(type: 3, code: $0.0, value: $0.1)
        }
        hand.gestures += hand.recognizer.handle(Frame(time: time, events: events))
      }
    }
    #expect(hand.kinds == Array(repeating: .tap, count: 5))
  }
}
