public import Gestures

extension Configuration {
  /// Decides whether a device is used, by which rule, and what its gestures do.
  ///
  /// A device that the configuration names is used whatever it is. One that it does not name is used if it is known or
  /// is a touchscreen, and a motion sensor of the machine if a shake is bound for every device. Of several rules for a device the one that describes it most closely wins (`DeviceConditions`),
  /// and between equals the first.
  public func rule(for device: DeviceDescription) -> Use {
    let known = Self.closest(KnownDevice.shipped, to: device, by: \.conditions)
    guard let source = source(for: device, known: known) else {
      return .unused(device.isSensor ? .noShakeBound : .notNamed(device.deviceClass, file: file))
    }
    let rule = Self.closest(rules, to: device, by: \.conditions)
    if let rule, rule.isIgnored { return .unused(.ignored(file: file ?? "", line: rule.line)) }
    if let reason = obstacle(to: device, known: known, source: source) { return .unused(reason) }
    let hasOwn = rule?.bindings.isEmpty == false
    let defaults = hasOwn ? [] : Self.defaults(of: device, for: source, kind: known?.kind, beside: bindings)
    let applied = applied(source, by: rule, to: device, defaults: defaults)
    if device.isAccelerometer, !applied.bindsShake { return .unused(.noShakeBound) }
    return .used(applied)
  }

  /// What the gestures of a device would do, for showing it: by its rule, or, where it is not used, by the bindings for
  /// every device alone; a shake of a motion sensor adds one even so, as it will once the sensor is named.
  public func preview(of device: DeviceDescription) -> AppliedRule {
    if case .used(let rule) = rule(for: device) { return rule }
    let defaults = device.isAccelerometer ? [Binding(.shake, .add)] : []
    return applied(.everyDevice, by: nil, to: device, defaults: defaults)
  }

  private func applied(
    _ source: AppliedRule.Source, by rule: DeviceRule?, to device: DeviceDescription, defaults: [Binding]
  ) -> AppliedRule {
    let hasSurface = if case .usable = device.touch { true } else { false }
    let all = [rule?.bindings ?? [], bindings, defaults].flatMap { list in
      let ordered = list.enumerated().sorted { ($0.element.breadth, $0.offset) < ($1.element.breadth, $1.offset) }
      return ordered.map { $0.element.applied(hasSurface: hasSurface) }
    }
    let (calibration, warnings) = Self.calibration(of: device, by: rule)
    return AppliedRule(
      source: source, grab: rule?.grab ?? false, bindings: all,
      timing: (rule?.timing ?? .init()).applied(to: timing.applied(to: .standard)),
      shake: (rule?.shake ?? .init()).applied(to: shake.applied(to: .firm)), calibration: calibration,
      warnings: warnings)
  }

  /// What a device does that nobody bound anything to: a press, a tap and a shake add one step to the current counter, a
  /// swipe down takes one off. A touchscreen that nobody named has no press, for its keys are somebody else's; a ring's
  /// strokes are made by its press, whichever way they go, so that their beginning is one.
  private static func defaults(
    of device: DeviceDescription, for source: AppliedRule.Source, kind: KnownDevice.Kind?, beside others: [Binding]
  ) -> [Binding] {
    if device.isAccelerometer { return [Binding(.shake, .add)] }
    let press = source == .touchscreen ? [] : [Binding(.press, .add)]
    if kind == .ring { return press + [Binding(.touch, .add)] }
    let all = press + [Binding(.tap, .add), Binding(.swipeDown, .subtract)]
    // Whoever counts landings or releases does not mean to count each of them once more.
    let instead: [Gesture.Kind: Set<Gesture.Kind>] = [.press: [.release, .hold], .tap: [.touch]]
    return all.filter { standard in
      !others.contains { $0.target == standard.target && instead[standard.gesture]?.contains($0.gesture) ?? false }
    }
  }

  /// How the surface is mounted, by the configuration or by what udev knows.
  private static func calibration(
    of device: DeviceDescription, by rule: DeviceRule?
  ) -> (Calibration, warnings: [String]) {
    if let calibration = rule?.calibration { return (calibration, []) }
    guard let matrix = device.udev["LIBINPUT_CALIBRATION_MATRIX"], !matrix.isEmpty else { return (.none, []) }
    if let calibration = Calibration(matrix: matrix) { return (calibration, []) }
    return (.none, ["its LIBINPUT_CALIBRATION_MATRIX \"\(matrix.prefix(80))\" is no calibration and is left out"])
  }

  private func source(for device: DeviceDescription, known: KnownDevice?) -> AppliedRule.Source? {
    if let rule = Self.closest(rules, to: device, by: \.conditions) {
      return .configuration(file: file ?? "", line: rule.line)
    }
    if let known { return .known(title: known.title, kind: known.kind) }
    if device.isSensor { return bindings.contains { $0.gesture == .shake } ? .sensor : nil }
    return device.deviceClass == .touchscreen ? .touchscreen : nil
  }

  /// Why a device that a rule speaks of cannot be used all the same.
  private func obstacle(
    to device: DeviceDescription, known: KnownDevice?, source: AppliedRule.Source
  ) -> Unused? {
    if case .known(let title, .presenter) = source, device.deviceClass == .mouse { return .pointer(title: title) }
    if source == .touchscreen, case .unusable(let reason) = device.touch { return .unusableTouch(reason: reason) }
    if device.isAccelerometer { return nil }
    if case .usable = device.touch { return nil }
    if device.hasKeys || device.hasWheels { return nil }
    if case .unusable(let reason) = device.touch { return .unusableTouch(reason: reason) }
    return .nothingToPress
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
