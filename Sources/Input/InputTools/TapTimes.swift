package import Gestures

/// The times at which a person tapped or pressed, read from the frames of one device: nothing is judged, so that the
/// measurement does not depend on the settings to be found.
package struct TapTimes: Equatable {
  private var code: UInt16?
  private var down: Int64 = 0

  /// Whether the last measurement was a touch, not a key.
  package private(set) var isTouch = false

  package init() {}

  /// Whether a finger or a key is down now.
  package var isDown: Bool { code != nil }

  /// Handles a frame; returns the taps that ended in it.
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
