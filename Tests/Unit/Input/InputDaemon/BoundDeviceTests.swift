import Bindings
import CoreAPI
import Gestures
import InputDaemon
import InputKit
import Testing

struct BoundDeviceTests {
  let pedal = DeviceDescription(
    name: "RDing FootSwitch", bus: 3, vendor: 0x0c45, product: 0x7403, codes: [1: [30, 48]])

  private func bound(_ text: String) throws -> BoundDevice { BoundDevice(pedal, rule: try rule(text)) }
  private func rule(_ text: String) throws -> AppliedRule { try Configuration(file: text).used(pedal) }

  @Test func `a press of a pedal that nobody configured adds one`() throws {
    var device = try bound("")
    let done = device.handle(.key(48, 1, at: 5_000_000))
    #expect(done.map(\.action) == [.add])
    var recent = DeliveryBuilder()
    #expect(
      done.first.map { recent.delivery(for: $0, boottime: 9_000_000, wall: 1_000_000) }
        == Delivery([
          .init(
            verb: "add", time: 996_000, device: "RDing FootSwitch", gesture: "press KEY_B")
        ]))
  }

  @Test func `the press that made a device connect is that of the key that is held, else of the first that is bound`()
    throws
  {
    let text = "[[device]]\nid = \"0c45:7403\"\nconnect = \"press\"\n"
    let rule = try rule(text)
    #expect(rule.countsConnecting)
    #expect(BoundDevice(pedal, rule: rule).connectingPress(at: 7, held: 48)?.gesture.key == 48)
    #expect(BoundDevice(pedal, rule: rule).connectingPress(at: 7, held: nil)?.gesture.key == 30)
    #expect(BoundDevice(pedal, rule: rule).connectingPress(at: 7, held: nil)?.action == .add)
    let bindings = "[[device.bind]]\ngesture = 'press'\nkey = 'KEY_B'\ndo = 'undo'\n"
    #expect(try bound(text + bindings).connectingPress(at: 7, held: 30)?.action == Action("undo"))
    #expect(try bound(bind("release")).connectingPress(at: 7, held: 48) == nil)
  }

  @Test func `a contact that never moves is said once, and keeps nothing waiting`() throws {
    let axis = DeviceDescription.Axis(minimum: 0, maximum: 1000)
    let screen = DeviceDescription(
      name: "screen", properties: [1], codes: [1: [0x14a], 3: [0x2f, 0x35, 0x36, 0x39]],
      axes: [0x2f: .init(minimum: 0, maximum: 9), 0x35: axis, 0x36: axis])
    var device = BoundDevice(screen, rule: Configuration.standard.preview(of: screen))
    _ = device.handle(Frame((3, 0x2f, 0), (3, 0x39, 1), (3, 0x35, 5), (3, 0x36, 500)))
    #expect(!device.isIdle)
    let due = try #require(device.nextDeadline)
    _ = device.advance(to: due)
    #expect(device.faults.map(\.description) == ["a contact at the left edge has not moved for 60 s"])
    #expect(device.isIdle)
    _ = device.advance(to: due + 600_000_000_000)
    #expect(device.faults.isEmpty)
  }

  @Test func `the log learns of touches that no finger makes, and of keys that count by their names only`() throws {
    let axis = DeviceDescription.Axis(minimum: 0, maximum: 1000)
    let screen = DeviceDescription(
      name: "screen", properties: [1], codes: [1: [0x14a], 3: [0x2f, 0x35, 0x36, 0x37, 0x39]],
      axes: [0x2f: .init(minimum: 0, maximum: 9), 0x35: axis, 0x36: axis])
    func faults(_ device: DeviceDescription, _ rule: AppliedRule, _ frames: [Frame]) -> [String] {
      var bound = BoundDevice(device, rule: rule)
      var faults: [String] = []
      for frame in frames {
        _ = bound.handle(frame)
        faults += bound.faults.map(\.sentence)
      }
      return faults
    }
    func reports(_ reports: [[(UInt16, UInt16, Int32)]]) -> [Frame] {
      reports.enumerated().map { number, events in
        Frame(
          time: Int64(number) * 16_000_000,
          events: events.map { InputEvent(type: $0.0, code: $0.1, value: $0.2) })
      }
    }
    let landing: [(UInt16, UInt16, Int32)] = [(3, 0x39, 1), (3, 0x35, 500), (3, 0x36, 500)]
    let jump =
      [[(3, 0x35, 501)], [(3, 0x35, 502)], [(3, 0x35, 900)], [(3, 0x35, 901)], [(3, 0x35, 902)]]
      as [[(UInt16, UInt16, Int32)]]
    let preview = Configuration.standard.preview(of: screen)
    #expect(
      faults(screen, preview, reports([landing] + jump + [[(3, 0x39, -1)]])) == [
        "a touch at 50 %, 50 % is no gesture: it jumped from one place to another between two reports, which no finger does"
      ])
    #expect(
      faults(screen, preview, reports([landing, [(3, 0x37, 2)], [(3, 0x39, -1)]])) == [
        "a touch at 50 %, 50 % is no gesture: it is a palm, by its size or by what the device says"
      ])
    #expect(
      faults(pedal, try rule(""), reports([[(1, 29, 1)], [(1, 29, 0)], [(4, 4, 0xc00e9)]])) == [
        "KEY_LEFTCTRL was pressed alone; as a modifier or lock key it counts only where a binding names it",
        "a button without a key sent the scan code c00e9; it counts where scan = [0xc00e9] is bound",
      ])
  }

  @Test func `a key that is bound to nothing goes no further`() throws {
    var device = try bound(
      "[[device]]\nid = '0c45:7403'\n[[device.bind]]\ngesture = 'press'\nkey = 'KEY_B'\ndo = 'add people 2'\n")
    #expect(device.handle(.key(30, 1, at: 1)).isEmpty)
    #expect(device.handle(.key(48, 1, at: 2)).map { $0.action?.description } == ["add people 2"])
  }

  @Test func `a key that was held when the device came is no press`() throws {
    var device = try bound("")
    #expect(device.handle(.key(48, 1, at: 1, isResync: true)).isEmpty)
    #expect(device.handle(.key(48, 0, at: 100_000_000)).isEmpty)
    #expect(device.handle(.key(48, 1, at: 200_000_000)).count == 1)
  }

  @Test func `another rule binds at once, and what is held stays held`() throws {
    var device = try bound("")
    #expect(device.handle(.key(48, 1, at: 1)).map(\.action) == [.add])
    let subtracts = "[[device]]\nid = \"0c45:7403\"\n[[device.bind]]\ngesture = \"press\"\ndo = \"subtract\""
    device.rebind(try rule(subtracts))
    #expect(device.isOutdated)
    #expect(device.handle(.key(48, 1, at: 2)).isEmpty)
    #expect(device.handle(.key(48, 0, at: 30_000_000)).isEmpty)
    device.renew(from: Frame(time: 40_000_000, events: [], isResync: true))
    #expect(!device.isOutdated)
    #expect(device.handle(.key(48, 1, at: 50_000_000)).map(\.action) == [.subtract])
  }

  @Test func `a new rule, or another process, judges nothing before the bouncing of a key is over`() throws {
    var device = try bound("")
    #expect(device.quietAfter == .min)
    #expect(device.handle(.key(48, 1, at: 100_000_000)).count == 1)
    #expect(device.handle(.key(48, 0, at: 200_000_000)).isEmpty)
    #expect(device.quietAfter == 212_000_000)
    device.rebind(try rule("[timing]\nbounce = 0.02"))
    device.renew(from: Frame(time: 201_000_000, events: [], isResync: true))
    #expect(device.handle(.key(48, 1, at: 205_000_000)).isEmpty)
    #expect(device.handle(.key(48, 0, at: 206_000_000)).isEmpty)
    #expect(device.advance(to: 1_000_000_000).isEmpty)
    #expect(device.handle(.key(48, 1, at: 1_000_000_000)).count == 1)
  }

  @Test func `a new rule, or another process, knows what follows the last gesture too closely`() throws {
    var device = try bound("[timing]\nrefractory = 5")
    #expect(device.handle(.key(48, 1, at: 1_000_000_000)).count == 1)
    #expect(device.handle(.key(48, 0, at: 1_100_000_000)).isEmpty)
    #expect(device.quietAfter == 6_000_000_000)
    device.rebind(try rule("[timing]\nrefractory = 4"))
    device.renew(from: Frame(time: 1_200_000_000, events: [], isResync: true))
    #expect(device.quietAfter == 5_000_000_000)
    #expect(device.handle(.key(48, 1, at: 4_900_000_000)).isEmpty)
    #expect(device.handle(.key(48, 0, at: 4_950_000_000)).isEmpty)
    #expect(device.handle(.key(48, 1, at: 5_000_000_000)).count == 1)
  }

  @Test func `gestures that a rule binds are recognised`() throws {
    var device = try bound("[timing]\nmode = 'eager'\n" + bind("double-press", does: "add 10"))
    var done = device.handle(.key(48, 1, at: 0)) + device.handle(.key(48, 0, at: 50_000_000))
    done += device.handle(.key(48, 1, at: 150_000_000))
    #expect(done.map { $0.action?.description } == ["add", "add 10"])
    #expect(done.last?.gesture.takesBack == done.first.map { [$0.gesture] })
  }

  @Test(arguments: [
    ("RDing FootSwitch1F1.", "RDing FootSwitch1F1."), ("", "unnamed device"), ("\u{1b}[2J\u{7f}\n", "[2J"),
    ("\u{0}", "unnamed device"), (String(repeating: "ä", count: 100), String(repeating: "ä", count: 64)),
    (String(repeating: "x", count: 127) + "ä", String(repeating: "x", count: 127)),
  ])
  func `a device's name fits what the core takes`(name: String, text: String) {
    #expect(CauseLabel.device(name) == text)
  }
}
