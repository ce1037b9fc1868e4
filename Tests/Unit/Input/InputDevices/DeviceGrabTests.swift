import Gestures
import InputDevices
import InputKit
import Testing

struct DeviceGrabTests {
  @Test func `a device at rest is taken at once`() {
    #expect(DeviceGrab().step(hasKeysDown: false) == .grab)
  }

  @Test func `a device whose key is held is left alone until the key is up`() {
    let grab = DeviceGrab()
    #expect(grab.step(hasKeysDown: true) == nil)
    #expect(grab.step(hasKeysDown: false) == .grab)
  }

  @Test func `a press that others have seen makes it let go`() {
    var grab = DeviceGrab()
    grab.grabbed(at: 1000)
    #expect(grab.step(after: .key(48, 1, at: 1000)) == .ungrab)
    grab.ungrabbed()
    #expect(!grab.isGrabbed)
    #expect(grab.step(hasKeysDown: true) == nil)
    #expect(grab.step(hasKeysDown: false) == .grab)
  }

  @Test func `a press after the taking is nobody else's`() {
    var grab = DeviceGrab()
    grab.grabbed(at: 1000)
    #expect(grab.step(after: .key(48, 1, at: 1001)) == nil)
    #expect(grab.isGrabbed)
    #expect(grab.step(hasKeysDown: false) == nil, "it is taken only once")
  }

  @Test func `a release that was under way is no press`() {
    var grab = DeviceGrab()
    grab.grabbed(at: 1000)
    #expect(grab.step(after: .key(48, 0, at: 900)) == nil)
  }
}
