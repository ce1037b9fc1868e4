import InputDevices
import Linux
import Testing

struct DeviceWatcherTests {
  @Test func `the devices that are there are shown at once, even where there are none`() throws {
    let loop = try EventLoop()
    var shown: [[DeviceNode]] = []
    let watcher = try DeviceWatcher(loop: loop) { shown.append($0) }
    _ = try loop.runOnce(waiting: 100_000)
    #expect(shown.count == 1)
    watcher.refresh()
    _ = try loop.runOnce(waiting: 100_000)
    #expect(shown.count == 2)
  }
}

struct EvdevDeviceTests {
  @Test func `a node that is not there is gone`() {
    #expect(throws: DeviceError.gone) { try EvdevDevice(path: "/dev/input/event-none") }
  }

  @Test func `a file that is no input device is refused`() {
    #expect(throws: DeviceError.failed(SystemError("read the device", code: 25))) {
      try EvdevDevice(path: "/dev/null")
    }
  }
}
