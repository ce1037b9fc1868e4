import Gestures
import InputDevices
import Linux
import Tallymark

/// `tally-input tune`: measures how a person counts and double-taps, and recommends settings.
public final class Tuner {
  private let loop: EventLoop
  private let device: PhysicalDevice
  private let all: [PhysicalDevice]
  private let relay: RelayClient
  private var listeners: [DeviceListener] = []
  private var times: [String: TapTimes] = [:]
  private var taps: [TapAnalysis.Tap] = []
  private var isTouch = false
  private var isGone = false

  /// The pause that ends the counting, in nanoseconds.
  private static let rest: Int64 = 2_500_000_000
  /// The pause after a tap that ends a double-tap, in nanoseconds.
  private static let together: Int64 = 1_000_000_000
  /// The smallest number of counts.
  private static let counts = 5
  /// The smallest number of double-taps.
  private static let doubles = 5
  private static let turn: UInt64 = 50_000

  /// Asks, measures and recommends settings: for an accelerometer from shakes, otherwise from taps.
  public static func run(_ choice: DeviceChoice) throws {
    let nodes = try DeviceInventory().nodes()
    if let sensor = try choice.found(among: nodes).first(where: \.description.isAccelerometer) {
      return try ShakeTuner(sensor).run()
    }
    try Tuner(choice, among: nodes).run()
  }

  init(_ choice: DeviceChoice, among nodes: [DeviceNode]) throws {
    loop = try EventLoop()
    relay = try RelayClient(loop: loop) { StandardOutput.line($0) }
    all = PhysicalDevice.all(nodes)
    let chosen = try choice.found(among: nodes)
    let devices = all.filter { $0.nodes.contains(where: chosen.contains) }
    guard devices.count == 1, let device = devices.first else {
      throw UsageError("“\(choice)” is several devices; name one by its path.")
    }
    self.device = choice.isPath ? PhysicalDevice(nodes: chosen) : device
  }

  /// Asks, measures and recommends settings.
  func run() throws {
    listeners = try device.nodes.map { node in
      try DeviceListener(
        needing: node, loop: loop, relay: relay,
        onFrame: { [unowned self] _, frame in
          taps += times[node.syspath, default: TapTimes()].take(frame)
          if let time = times[node.syspath], time.isTouch { isTouch = true }
        }, onEnd: { [unowned self] _, _ in isGone = true })
    }
    try relay.waitForReports()
    let silent = listeners.compactMap { $0.silence() }
    if silent.count == listeners.count { throw DeviceListener.Silent(description: silent.joined(separator: "\n")) }
    silent.forEach(say)
    say(
      "\(BindingText.name(of: device)): tap or press as you count, as fast as you ever do, ten times or more; then stop."
    )
    let counting = try gather(atLeast: Self.counts)
    say("\(counting.count) times. Now double-tap, \(Self.doubles) times, with a rest after each.")
    var doubles: [(TapAnalysis.Tap, TapAnalysis.Tap)] = []
    while doubles.count < Self.doubles {
      let pair = try gatherTogether()
      if pair.count == 2 {
        doubles.append((pair[0], pair[1]))
        say("\(doubles.count) of \(Self.doubles)")
      } else {
        say("\(pair.count == 1 ? "Only one came" : "\(pair.count) came"), and two make a double-tap. Once more.")
      }
    }
    let standard = Timing.standard[.pause(before: isTouch ? .doubleTap : .doublePress)]
    let analysis = TapAnalysis(counting: counting, doubles: doubles, standard: standard)
    say(analysis.text(isTouch: isTouch, standard))
  }

  /// The taps until a long enough pause.
  private func gather(atLeast count: Int) throws -> [TapAnalysis.Tap] {
    taps = []
    while true {
      try turn()
      guard let last = taps.last, Clock.boottime() - last.up > Self.rest else { continue }
      if taps.count >= count { return taps }
      say("\(taps.count) are too few to say anything; go on.")
      taps = []
    }
  }

  private func gatherTogether() throws -> [TapAnalysis.Tap] {
    taps = []
    while true {
      try turn()
      if let last = taps.last, Clock.boottime() - last.up > Self.together { return taps }
    }
  }

  private func turn() throws {
    _ = try loop.runOnce(waiting: Self.turn)
    if isGone { throw Gone() }
  }

  /// The device was removed.
  struct Gone: Error, CustomStringConvertible { let description = "The device is gone." }

  private func say(_ text: String) { StandardOutput.line(text) }
}

extension TapAnalysis {
  /// The measurements and their conclusion, for the person who tapped.
  package func text(isTouch: Bool, _ standard: Double) -> String {
    let name = (isTouch ? Gesture.Kind.doubleTap : .doublePress).rawValue
    var lines = [
      "Pauses while counting:  \(Self.span(counting))", "Pauses in a \(name): \(Self.span(doubles))",
    ]
    switch advice {
    case .keepDefault:
      lines.append("The default of \(standard) s tells them apart; nothing needs to be set.")
    case .interval(let seconds):
      lines.append("An interval of \(seconds) s tells them apart. Put this below the [[device]]:")
      lines += BindingText.timing(name, seconds: seconds)
    case .eager(let seconds):
      lines.append(
        """
        No interval tells them apart. Let each one count at once, and a \(name) take the first one back: put this below \
        the [[device]]
        """)
      lines += BindingText.timing(name, seconds: seconds, isEager: true)
    case .showMore: lines.append("That is too little to say anything.")
    }
    return lines.joined(separator: "\n")
  }

  private static func span(_ pauses: [Double]) -> String {
    guard let first = pauses.first, let last = pauses.last else { return "none" }
    return "\(hundredths(first)) to \(hundredths(last)) s, in the middle \(hundredths(pauses[pauses.count / 2])) s"
  }

  private static func hundredths(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }
}
