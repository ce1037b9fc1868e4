package import Gestures

/// When a person tapped or pressed, read off the frames of one device: nothing is judged, so that the measure does not
/// depend on the settings that are to be found with it.
package struct TapTimes: Equatable {
  private var code: UInt16?
  private var down: Int64 = 0

  /// Whether what was measured last was a touch, not a key.
  package private(set) var isTouch = false

  package init() {}

  /// Whether something is down now.
  package var isDown: Bool { code != nil }

  /// Takes one frame in; gives the taps that ended in it.
  package mutating func take(_ frame: Frame) -> [TapAnalysis.Tap] {
    if frame.isResync {
      code = nil
      return []
    }
    var taps: [TapAnalysis.Tap] = []
    for event in frame.events where event.type == EventCode.EV_KEY {
      guard event.code == EventCode.BTN_TOUCH || !EventCode.isTouchState(event.code) else { continue }
      if event.value == 1, code == nil {
        code = event.code
        down = frame.time
      } else if event.value == 0, code == event.code {
        code = nil
        isTouch = event.code == EventCode.BTN_TOUCH
        taps.append(TapAnalysis.Tap(down: down, up: frame.time))
      }
    }
    return taps
  }
}
