import Gestures
import Recordings
import Testing

struct LibinputRecordingTests {
  private let text = """
    # libinput record
    version: 1
    ndevices: 1
    libinput:
      version: "1.22.1"
    devices:
    - node: /dev/input/event5
      evdev:
        # Name: Plain "Screen"
        name: "Plain \\"Screen\\""
        id: [3, 4660, 39612, 273]
        codes:
          0: [0, 1, 3] # EV_SYN
          1: [330] # EV_KEY
          3: [0, 1, 47, 53, 54, 57] # EV_ABS
        absinfo:
          53: [0, 4095, 0, 0, 12]
          54: [-5, 4095, 0, 0, 0]
        properties: [1]
      hid: [
        0x05, 0x0d
      ]
      udev:
        properties:
        - ID_INPUT=1
      quirks:
      events:
      # Current time is 12:00:00
      - evdev:
        - [  0,      0,   3,  57,       7] # EV_ABS / ABS_MT_TRACKING_ID 7 (+7)
        - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ----------
      - libinput:
        - {time: 0.000, type: TOUCH_DOWN, slot: 0}
      - evdev:
        - [  1, 500000,   3,  57,      -1]
        - [  1, 500000,   0,   0,       0]

    """

  @Test func `device and frames are read, and what libinput made of them is passed over`() throws {
    #expect(LibinputRecording.isOne(text))
    let parts = try LibinputRecording(text).devices
    let recording = try #require(parts.first)
    #expect(parts.count == 1)
    #expect(
      recording.device
        == DeviceDescription(
          name: "Plain \"Screen\"", bus: 3, vendor: 0x1234, product: 0x9abc, version: 0x111, properties: [1],
          codes: [0: [0, 1, 3], 1: [330], 3: [0, 1, 47, 53, 54, 57]],
          axes: [
            53: .init(minimum: 0, maximum: 4095, resolution: 12), 54: .init(minimum: -5, maximum: 4095, resolution: 0),
          ]))
    #expect(
      recording.frames == [
        Frame(time: 0, events: [.init(type: 3, code: 57, value: 7)]),
        Frame(time: 1_500_000_000, events: [.init(type: 3, code: 57, value: -1)]),
      ])
  }

  @Test(arguments: [
    "version: 1\n", "version: 1\n- node: x\nid: [1]\n",
    "version: 1\n- node: x\nevents:\n- evdev:\n- [0, 0, 3, 57, 1]\n",
    "version: 1\n- node: x\nevents:\n- evdev:\n- [0, 0, 3, 57",
    "version: 1\n- node: x\nevents:\n- evdev:\n- [9223372036854775807, 0, 0, 0, 0]\n",
    "version: 1\n- node: x\nevents:\n- evdev:\n- [9223372036, 999999, 0, 0, 0]\n",
    "version: 1\n- node: x\nabsinfo:\n  53: [0, 99999999999, 0, 0, 0]\n",
  ])
  func `what is cut off or nonsense is refused`(text: String) {
    #expect(throws: LibinputRecording.Problem.self) { try LibinputRecording(text) }
  }

  @Test func `what libinput said in the middle of an event, and any key nobody knows, is passed over`() throws {
    let talkative =
      text.replacing("  - libinput:\n", with: "    libinput:\n").replacing(
        "  quirks:\n", with: "  quirks:\n  - ModelTouchpad=1\n  tomorrow:\n    codes of it: [a]\n    7: x\n")
    #expect(try LibinputRecording(talkative) == LibinputRecording(text))
    let events = "libinput:\n    - {time: 0.000, type: TOUCH_UP, slot: 0}\n    - [ 1, 2 ]\n"
    #expect(
      try LibinputRecording(text.replacing("  - libinput:\n", with: "    \(events)  - libinput:\n"))
        == LibinputRecording(text))
  }

  @Test func `each device of a recording has its own events`() throws {
    let device = try #require(text.firstRange(of: "- node:"))
    let second = text[device.lowerBound...].replacing("[3, 4660, 39612, 273]", with: "[3, 1, 2, 3]")
    let parts = try LibinputRecording(text + second).devices
    #expect(parts.map(\.device.vendor) == [0x1234, 1])
    #expect(parts.map(\.frames.count) == [2, 2])
    // The first one's events are not all there.
    let cut = text.replacing("    - [  1, 500000,   0,   0,       0]\n", with: "")
    #expect(throws: LibinputRecording.Problem.self) { try LibinputRecording(cut + second) }
  }

  @Test func `evemu's text is something else`() {
    #expect(!LibinputRecording.isOne("# EVEMU 1.3\nN: version: 1\n"))
  }
}
