import Gestures
import InputDaemon
import InputKit
import InputTools
import Testing

struct FrameTextTests {
  private let axis = DeviceDescription.Axis(minimum: 0, maximum: 1000)

  @Test func `keys are named with what the device calls them`() {
    var text = FrameText(DeviceDescription(name: "pedal", codes: [1: [48]]))
    #expect(text.lines(Frame((4, 4, 0x70005), (1, 48, 1))) == ["KEY_B down (scan code 70005)"])
    #expect(text.lines(Frame((1, 48, 2))).isEmpty)
    #expect(text.lines(Frame((1, 48, 0))) == ["KEY_B up"])
  }

  @Test func `contacts land and lift, and their moves are left out`() {
    var text = FrameText(
      DeviceDescription(
        name: "screen", codes: [1: [0x14a], 3: [0x2f, 0x35, 0x36, 0x39]],
        axes: [0x2f: .init(minimum: 0, maximum: 9), 0x35: axis, 0x36: axis, 0x39: .init(minimum: 0, maximum: 65535)]))
    #expect(text.lines(Frame((3, 0x39, 7), (3, 0x35, 500), (3, 0x36, 250))) == ["contact 0 lands at 50 %, 25 %"])
    #expect(text.lines(Frame((3, 0x35, 600))).isEmpty)
    #expect(
      text.lines(Frame((3, 0x39, -1), (3, 0x2f, 1), (3, 0x39, 8), (3, 0x35, 0), (3, 0x36, 0)))
        == ["contact 0 lifts at 60 %, 25 %", "contact 1 lands at 0 %, 0 %"])
  }

  @Test func `slots and axes that make no sense are survived`() {
    var text = FrameText(
      DeviceDescription(
        name: "screen", codes: [3: [0x2f, 0x35, 0x36, 0x39]],
        axes: [0x2f: .init(minimum: 0, maximum: .max), 0x35: axis, 0x36: axis]))
    #expect(text.lines(Frame((3, 0x2f, .max), (3, 0x39, 1), (3, 0x35, .min))).isEmpty)
    #expect(text.lines(Frame((3, 0x2f, .min), (3, 0x39, 1))).isEmpty)
    #expect(text.lines(Frame((3, 0x2f, 3), (3, 0x39, 1), (3, 0x35, .max), (3, 0x36, .min))).count == 1)
  }

  @Test func `single contacts, lists of contacts, wheels and switches are shown`() {
    var single = FrameText(DeviceDescription(name: "old", codes: [1: [0x14a], 3: [0, 1]], axes: [0: axis, 1: axis]))
    #expect(single.lines(Frame((1, 0x14a, 1), (3, 0, 100), (3, 1, 200))) == ["contact 0 lands at 10 %, 20 %"])
    #expect(single.lines(Frame((1, 0x14a, 0))) == ["contact 0 lifts at 10 %, 20 %"])
    var list = FrameText(
      DeviceDescription(name: "a", codes: [1: [0x14a], 3: [0x35, 0x36]], axes: [0x35: axis, 0x36: axis]))
    #expect(list.lines(Frame((3, 0x35, 1), (3, 0x36, 1), (0, 2, 0), (3, 0x35, 5), (0, 2, 0))) == ["2 contacts"])
    #expect(list.lines(Frame((1, 0x14a, 0))) == ["no contact"])
    var dial = FrameText(DeviceDescription(name: "dial", codes: [2: [7, 8]]))
    #expect(dial.lines(Frame((2, 8, -1), (2, 0, 5))) == ["REL_WHEEL -1"])
    #expect(dial.lines(Frame((5, 0, 1), isResync: true)).last == "SW_LID 1")
  }
}
