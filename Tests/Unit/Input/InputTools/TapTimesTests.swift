import Gestures
import InputDaemon
import InputKit
import InputTools
import Testing

struct TapTimesTests {
  @Test func `a touch and a press have a beginning and an end`() {
    var times = TapTimes()
    #expect(times.take(.key(0x14a, 1, at: 10)).isEmpty)
    #expect(times.isDown)
    #expect(times.take(.key(0x14a, 0, at: 30)) == [TapAnalysis.Tap(down: 10, up: 30)])
    #expect(times.isTouch)
    #expect(times.take(.key(48, 1, at: 40)).isEmpty)
    #expect(times.take(.key(48, 2, at: 45)).isEmpty)
    #expect(times.take(.key(48, 0, at: 50)) == [TapAnalysis.Tap(down: 40, up: 50)])
    #expect(!times.isTouch)
  }

  @Test func `a second key within the first, and what the kernel lost, is no tap`() {
    var times = TapTimes()
    _ = times.take(.key(48, 1, at: 10))
    #expect(times.take(.key(30, 1, at: 20)).isEmpty)
    #expect(times.take(.key(30, 0, at: 30)).isEmpty)
    #expect(times.take(.key(48, 0, at: 40)).count == 1)
    _ = times.take(.key(48, 1, at: 50))
    #expect(times.take(.key(48, 1, at: 60, isResync: true)).isEmpty)
    #expect(times.take(.key(48, 0, at: 70)).isEmpty)
  }

  @Test func `what a device says touches it is no tap of its own`() {
    var times = TapTimes()
    #expect(times.take(.key(0x145, 1, at: 10)).isEmpty)
    #expect(!times.isDown)
  }
}
