public import Gestures

extension Configuration {
  /// Decides whether a device is used, by which rule, and what its gestures do.
  ///
  /// A device that the configuration names is used whatever it is. One that it does not name is used if it is known or
  /// is a touchscreen. Of several rules for a device the one that describes it most closely wins (`DeviceConditions`),
  /// and between equals the first.
  public func rule(for device: DeviceDescription) -> Use {
    let known = Self.closest(KnownDevice.shipped, to: device, by: \.conditions)
    guard let source = source(for: device, known: known) else {
      return .unused(.notNamed(device.deviceClass, file: file))
    }
    if let reason = obstacle(to: device, known: known, source: source) { return .unused(reason) }
    let rule = Self.closest(rules, to: device, by: \.conditions)
    let own = rule?.bindings ?? []
    let defaults = own.isEmpty ? Self.defaults(for: source, kind: known?.kind) : []
    let bindings = [own, self.bindings, defaults].flatMap { list in
      list.filter { !$0.keys.isEmpty } + list.filter { $0.keys.isEmpty }
    }
    return .used(AppliedRule(source: source, grab: rule?.grab ?? false, bindings: bindings))
  }

  /// What a device does that nobody bound anything to: a press and a tap add one step to the current counter, a swipe
  /// down takes one off. A touchscreen that nobody named has no press, for its keys are somebody else's; a ring's swipes
  /// are made by its press, so all of them add.
  private static func defaults(for source: AppliedRule.Source, kind: KnownDevice.Kind?) -> [Binding] {
    if kind == .ring { return Gesture.Kind.allCases.map { Binding(gesture: $0, action: .add) } }
    let press = source == .touchscreen ? [] : [Binding(gesture: .press, action: .add)]
    return press + [Binding(gesture: .tap, action: .add), Binding(gesture: .swipeDown, action: .subtract)]
  }

  private func source(for device: DeviceDescription, known: KnownDevice?) -> AppliedRule.Source? {
    if let rule = Self.closest(rules, to: device, by: \.conditions) {
      return .configuration(file: file ?? "", line: rule.line)
    }
    if let known { return .known(title: known.title, kind: known.kind) }
    return device.deviceClass == .touchscreen ? .touchscreen : nil
  }

  /// Why a device that a rule speaks of cannot be used all the same.
  private func obstacle(
    to device: DeviceDescription, known: KnownDevice?, source: AppliedRule.Source
  ) -> Unused? {
    if case .known(let title, .presenter) = source, device.deviceClass == .mouse { return .pointer(title: title) }
    if source == .touchscreen, case .unusable(let reason) = device.touch { return .unusableTouch(reason: reason) }
    if case .usable = device.touch { return nil }
    if device.codes[EventCode.key]?.contains(where: { !EventCode.isTouchState($0) }) ?? false { return nil }
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
