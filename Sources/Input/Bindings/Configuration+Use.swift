public import Gestures

extension Configuration {
  /// Decides whether and by which rule a device is used, and the actions of its gestures.
  ///
  /// A device of any kind is used if the configuration names it. Other devices are used if they are known and cannot
  /// type letters; a touchscreen if the configuration enables all of them; a motion sensor of the machine if a shake is
  /// bound for every device. A keyboard, pointer or power button that a rule with `grab = true` matches by a pattern
  /// only is not used. If several rules match a device, the most specific one applies (`DeviceConditions`), and the
  /// first of equals.
  public func rule(for device: DeviceDescription) -> Use {
    let known = Self.known(device)
    let rule = Self.closest(rules, to: device, by: \.conditions)
    if let rule, rule.isIgnored { return .unused(.ignored(file: file ?? "", line: rule.line)) }
    let source: AppliedRule.Source
    switch self.source(for: device, by: rule, known: known) {
    case .success(let found): source = found
    case .failure(let reason): return .unused(reason)
    }
    if let reason = Self.obstacle(to: device, source) { return .unused(reason) }
    // A known clicker may be grabbed: a person does not operate the machine with it.
    if let rule, rule.grab, known == nil, let noun = rule.conditions.obstacleToGrab(device) {
      return .unused(.grabbedByPattern(noun, file: file ?? "", line: rule.line))
    }
    let applied = applied(
      source, by: rule, to: device, defaults: defaults(of: device, for: source, kind: known?.kind, by: rule))
    if device.isAccelerometer, !applied.bindsShake { return .unused(.noShakeBound) }
    return .used(applied)
  }

  /// The actions of a device's gestures, for display: those of its rule; for an unused device, those of the bindings
  /// for every device. An unused known device, touchscreen or motion sensor also has its defaults, as if a rule named
  /// it.
  public func preview(of device: DeviceDescription) -> AppliedRule {
    if case .used(let rule) = rule(for: device) { return rule }
    let known = Self.known(device)
    let hasDefaults = known != nil || device.isAccelerometer || device.deviceClass == .touchscreen
    let source: AppliedRule.Source = device.deviceClass == .touchscreen ? .touchscreen : .everyDevice
    let defaults = hasDefaults ? defaults(of: device, for: source, kind: known?.kind, by: nil) : []
    return applied(.everyDevice, by: nil, to: device, defaults: defaults)
  }

  /// The entry of the list of known devices that matches a device.
  private static func known(_ device: DeviceDescription) -> KnownDevice? {
    closest(KnownDevice.shipped, to: device, by: \.conditions)
  }

  private func applied(
    _ source: AppliedRule.Source, by rule: DeviceRule?, to device: DeviceDescription, defaults: [Binding]
  ) -> AppliedRule {
    let hasSurface = if case .usable = device.touch { true } else { false }
    var all = [rule?.bindings ?? [], bindings, defaults].flatMap { list in
      let ordered = list.enumerated().sorted { ($0.element.breadth, $0.offset) < ($1.element.breadth, $1.offset) }
      return ordered.map { $0.element.applied(hasSurface: hasSurface) }
    }
    // A disabled binding never acts: no tap should wait for it.
    let whole = all
    all = whole.enumerated().filter { index, binding in
      binding.doesNothing || !whole[..<index].contains { $0.doesNothing && $0.includes(binding) }
    }.map(\.element)
    // A gesture that is only disabled and never bound must not make other gestures wait.
    let gestures = Set(all.lazy.filter { !$0.doesNothing }.map(\.gesture))
    all.removeAll { $0.doesNothing && !gestures.contains($0.gesture) }
    var (calibration, warnings) = Self.calibration(of: device, by: rule)
    if case .unusable(let reason) = device.touch { warnings.append("its touch surface is left out, because \(reason)") }
    return AppliedRule(
      source: source, grab: rule?.grab ?? false, countsConnecting: rule?.countsConnecting ?? false, bindings: all,
      timing: (rule?.timing ?? .init()).applied(to: timing.applied(to: .standard(onBus: device.bus))),
      shake: (rule?.shake ?? .init()).applied(to: shake.applied(to: .firm)), calibration: calibration,
      size: Self.size(of: device, by: rule, calibration), warnings: warnings)
  }

  /// The defaults of a device without bindings: a press, a tap and a shake add one step to the current counter, a swipe
  /// down subtracts one.
  private func defaults(
    of device: DeviceDescription, for source: AppliedRule.Source, kind: KnownDevice.Kind?, by rule: DeviceRule?
  ) -> [Binding] {
    // Bindings that do nothing only disable single defaults; the other defaults stay.
    if rule?.bindings.contains(where: { !$0.doesNothing }) == true { return [] }
    if device.isAccelerometer { return [Binding(.shake, .add)] }
    // The keys of an unnamed touchscreen are not meant for counting.
    var all = source == .touchscreen ? [] : [Binding(.press, .add)]
    switch device.isRotaryEncoder ? .dial : kind {
    // A ring sends strokes in either direction; each stroke begins with a landing.
    case .ring: return all + [Binding(.touch, .add)]
    case .dial: all += [Binding(.dialRight, .wheel, .add), Binding(.dialLeft, .wheel, .subtract)]
    case .presenter: all.append(Binding(.press, .keys(codes: Self.backKeys, scans: []), .subtract))
    default: break
    }
    all += [Binding(.tap, .add), Binding(.swipeDown, .subtract)]
    return unreplaced(all)
  }

  /// The defaults that do not conflict with the bindings for every device. If these count landings or releases, the
  /// taps or presses that contain them must not count as well.
  private func unreplaced(_ defaults: [Binding]) -> [Binding] {
    let instead: [Gesture.Kind: Set<Gesture.Kind>] = [.press: [.release, .hold], .tap: [.touch]]
    return defaults.filter { standard in
      !bindings.contains {
        !$0.doesNothing && $0.target == standard.target && instead[standard.gesture]?.contains($0.gesture) ?? false
      }
    }
  }

  /// The defaults that stay in force together with the bindings for every device, on devices without bindings.
  public var remainingDefaults: [(binding: Binding, devices: String)] {
    let any = "devices without bindings of their own"
    let all: [(binding: Binding, devices: String)] = [
      (Binding(.press, .add), any), (Binding(.tap, .add), any), (Binding(.swipeDown, .subtract), any),
      (Binding(.press, .keys(codes: Self.backKeys, scans: []), .subtract), "known presenters"),
      (Binding(.dialRight, .wheel, .add), "known dials and rotary encoders"),
      (Binding(.dialLeft, .wheel, .subtract), "known dials and rotary encoders"),
      (Binding(.shake, .add), "motion sensors that a [[device]] names"),
    ]
    return all.filter { standard, _ in
      !unreplaced([standard]).isEmpty
        && !bindings.contains { $0.gesture == standard.gesture && $0.target == standard.target }
    }
  }

  /// KEY_PAGEUP and KEY_LEFT, one of which a presenter sends for "back".
  private static let backKeys: [UInt16] = [104, 105]

  /// The size of a surface along its axes: from the configuration, or, for a device that states no resolution, from
  /// udev or the display behind it.
  private static func size(
    of device: DeviceDescription, by rule: DeviceRule?, _ calibration: Calibration
  ) -> PhysicalSize? {
    if let seen = rule?.size { return calibration.exchangesAxes ? seen.turned : seen }
    if case .usable(let surface) = device.touch, surface.unit == .millimetres { return nil }
    guard let width = device.udev["ID_INPUT_WIDTH_MM"].flatMap({ Double($0) }),
      let height = device.udev["ID_INPUT_HEIGHT_MM"].flatMap({ Double($0) })
    else { return device.display }
    return PhysicalSize(width: width, height: height)
  }

  /// The mounting of the surface, from the configuration or udev.
  private static func calibration(
    of device: DeviceDescription, by rule: DeviceRule?
  ) -> (Calibration, warnings: [String]) {
    if let calibration = rule?.calibration { return (calibration, []) }
    guard let matrix = device.udev["LIBINPUT_CALIBRATION_MATRIX"], !matrix.isEmpty else { return (.none, []) }
    if let calibration = Calibration(matrix: matrix) { return (calibration, []) }
    return (.none, ["its LIBINPUT_CALIBRATION_MATRIX \"\(matrix.prefix(80))\" is no calibration and is left out"])
  }

  /// The reason why a device is used, or why it is not.
  private func source(
    for device: DeviceDescription, by rule: DeviceRule?, known: KnownDevice?
  ) -> Result<AppliedRule.Source, Unused> {
    if let rule { return .success(.configuration(file: file ?? "", line: rule.line)) }
    if device.typesLetters {
      return .failure(
        known.map { .typesLetters(title: $0.title) } ?? .notNamed(device.deviceClass, file: file))
    }
    if let known {
      if known.kind == .presenter, device.deviceClass == .mouse { return .failure(.pointer(title: known.title)) }
      guard known.fits(device) else { return .failure(.otherLayout(title: known.title, kind: known.kind)) }
      return .success(.known(title: known.title, kind: known.kind))
    }
    if device.isSensor {
      return bindings.contains { $0.gesture == .shake && !$0.doesNothing } ? .success(.sensor) : .failure(.noShakeBound)
    }
    if device.deviceClass == .touchscreen { return usesTouchscreens ? .success(.touchscreen) : .failure(.touchscreen) }
    return .failure(.notNamed(device.deviceClass, file: file))
  }

  /// The reason why a named or known device cannot be used; nil if it can.
  private static func obstacle(to device: DeviceDescription, _ source: AppliedRule.Source) -> Unused? {
    if device.isAccelerometer { return nil }
    switch device.touch {
    case .usable: return nil
    // The keys of an unnamed touchscreen are not meant for counting.
    case .unusable where source != .touchscreen && (device.hasKeys || device.hasWheels): return nil
    case .unusable(let reason): return .unusableTouch(reason: reason)
    case .none: return device.hasKeys || device.hasWheels ? nil : .nothingToPress
    }
  }

  /// The entry that describes a device most closely, the first among equals.
  private static func closest<Entry>(
    _ entries: [Entry], to device: DeviceDescription, by conditions: (Entry) -> DeviceConditions
  ) -> Entry? {
    var best: (entry: Entry, specificity: Int)?
    for entry in entries where conditions(entry).match(device) {
      let specificity = conditions(entry).specificity(for: device)
      if specificity > best?.specificity ?? -1 { best = (entry, specificity) }
    }
    return best?.entry
  }
}
