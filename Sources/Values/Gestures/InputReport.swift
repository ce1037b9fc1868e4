/// A message about a device that is not a gesture: for the log, and for `monitor`, which shows each touch without a
/// gesture.
public enum InputReport: Equatable, Sendable, CustomStringConvertible {
  /// Fingers landed and lifted without a gesture, or are no longer judged.
  case nothing(Reason, Gesture.Position)
  /// A contact has not moved for this number of seconds.
  case stuck(Gesture.Position, seconds: Int)
  /// A contact that moves has been down for this number of seconds.
  case neverLifts(Gesture.Position, seconds: Int)
  /// The device reports a contact outside of its surface, at these device coordinates. `isTransposed`: with exchanged
  /// axes, the contact would be on the surface.
  case outside(x: Int32, y: Int32, isTransposed: Bool)
  /// This number of presses of a key was classified as the bouncing of its switch.
  case bounced(key: UInt16, presses: Int)
  /// This number of keys was pressed faster than a person types.
  case typed(keys: Int)
  /// A wheel reported this number of detents at once, more than a hand turns.
  case overturned(detents: Int)
  /// A modifier or lock key was pressed without another key, and no binding names it.
  case loneModifier(key: UInt16)
  /// A button without a key sent this scan code, and no binding names it.
  case loneScan(UInt32)

  /// The kind of a report, without its values.
  public enum Kind: Equatable, Sendable {
    case nothing, jumped, palm, stuck, neverLifts, outside, bounced, typed, overturned, loneModifier, loneScan
  }

  public var kind: Kind {
    switch self {
    case .nothing(.jumped, _): .jumped
    case .nothing(.palm, _): .palm
    case .nothing: .nothing
    case .stuck: .stuck
    case .neverLifts: .neverLifts
    case .outside: .outside
    case .bounced: .bounced
    case .typed: .typed
    case .overturned: .overturned
    case .loneModifier: .loneModifier
    case .loneScan: .loneScan
    }
  }

  /// The press that a binding would recognise in a lone scan code; `nil` for other reports.
  package func press(at time: Int64) -> Gesture? {
    guard case .loneScan(let scan) = self else { return nil }
    return Gesture(kind: .press, time: time, key: KeyCode.unknown, scan: scan)
  }

  /// The reason why a touch was no gesture.
  public enum Reason: Equatable, Sendable {
    case moved(Length, slop: Length, swipe: Length)
    case held(_ duration: Int64, longest: Int64)
    case heldAndMoved(_ duration: Int64, Length, slop: Length)
    case cameBack
    case diagonal
    case slow
    /// The position jumped from one report to the next.
    case jumped
    /// Fingers moved in different directions.
    case apart
    /// This number of fingers, more than a hand has, moved alongside each other.
    case manyFingers(Int)
    case palm
    /// Events were dropped, or the finger was down before the device was opened.
    case unseen
    case tooSoon
    /// The contact appeared and disappeared between two reports.
    case withinReport
    case endsBeforeItBegins
  }

  /// A distance on a surface, in its unit.
  public struct Length: Equatable, Sendable, CustomStringConvertible {
    public let value: Double
    public let unit: TouchSurface.Unit

    public var description: String {
      switch unit {
      case .millimetres: "\((value * 10).rounded() / 10) mm"
      case .shorterSide: "\((value * 1000).rounded() / 10) % of the shorter side"
      }
    }
  }

  public var description: String { sentence { "key \($0)" } }

  /// The report as a sentence without the full stop.
  ///
  /// - Parameter name: returns the name of a key.
  public func sentence(_ name: (UInt16) -> String) -> String {
    switch self {
    case .nothing(let reason, let position): "a touch \(position.words) is no gesture: \(reason)"
    case .stuck(let position, let seconds): "a contact \(position.words) has not moved for \(seconds) s"
    case .neverLifts(let position, let seconds):
      "a contact \(position.words) has not lifted for \(seconds) s; if nobody touches it, the panel does not report lifts"
    case .bounced(let key, let presses):
      (presses == 1 ? "a press of \(name(key)) was" : "\(presses) presses of \(name(key)) were")
        + " taken for the bouncing of its switch (bounce)"
    case .typed(1): "a key was typed faster than a hand can, and does not count"
    case .typed(let keys): "\(keys) keys were typed faster than a hand can, and do not count"
    case .overturned(let detents):
      "a wheel reported \(detents) detents at once, which no hand turns; they do not count"
    case .outside(let x, let y, let isTransposed):
      "a contact at x \(x), y \(y) lies outside the ranges that the device states for its axes, and is ignored"
        + (isTransposed ? "; the ranges seem to be transposed: that of x fits y, and that of y fits x" : "")
    case .loneModifier(let key):
      "\(name(key)) was pressed alone; as a modifier or lock key it counts only where a binding names it"
    case .loneScan(let scan):
      "a button without a key sent the scan code \(String(scan, radix: 16)); it counts where scan = [0x\(String(scan, radix: 16))] is bound"
    }
  }
}

extension InputReport.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .moved(let distance, let slop, let swipe):
      "it moved \(distance), too far for a tap (\(slop)) and too short for a swipe (swipe-length is \(swipe))"
    case .held(let duration, let longest):
      "it lasted \(Self.seconds(duration)), too long for a tap (\(Self.seconds(longest))); bind long-press to count it"
    case .heldAndMoved(let duration, let distance, let slop):
      "it lasted \(Self.seconds(duration)) and moved \(distance); a touch that lasts so long may move \(slop)"
    case .cameBack: "it moved too far for a tap and was not straight enough for a swipe"
    case .diagonal: "it moved diagonally, and a swipe has one direction"
    case .slow: "it moved too slowly for a swipe (swipe-speed) and too far for a tap"
    case .jumped: "it jumped from one place to another between two reports, which no finger does"
    case .apart: "its fingers moved in different ways"
    case .manyFingers(let count): "it is a stroke of \(count) fingers, more than a hand has"
    case .palm: "it is a palm, by its size or by what the device says"
    case .unseen: "it began before its events were seen, or some of them were lost"
    case .tooSoon: "it followed another gesture within the time that refractory sets"
    case .withinReport: "it came and went within one report of the device"
    case .endsBeforeItBegins: "its end is stamped before its beginning"
    }
  }

  private static func seconds(_ time: Int64) -> String { "\((Double(time) / 1e7).rounded() / 100) s" }
}

extension TouchLimits {
  func length(_ value: Double) -> InputReport.Length { InputReport.Length(value: value, unit: unit) }
}

extension Gesture.Position {
  /// The place in words: "at the left edge", "in the top right corner", "at 40 %, 55 %".
  public var words: String {
    let edge = 0.08
    let side = x < edge ? "left" : x > 1 - edge ? "right" : nil
    let end = y < edge ? "top" : y > 1 - edge ? "bottom" : nil
    switch (end, side) {
    case (let end?, let side?): return "in the \(end) \(side) corner"
    case (let edge?, nil), (nil, let edge?): return "at the \(edge) edge"
    case (nil, nil): return "at \(Int((x * 100).rounded())) %, \(Int((y * 100).rounded())) %"
    }
  }
}
