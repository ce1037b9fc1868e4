extension Counter {
  /// A field by its name: written to the journal, sent to watchers, and restored by an undo. A value that the field
  /// cannot have is ignored.
  public subscript(field: Field) -> Field.Value {
    get {
      switch field {
      case .tags: .text(tags.joined(separator: " "))
      case .group: .init(group?.number)
      case .archived: .integer(isArchived ? 1 : 0)
      case .start: .integer(start)
      case .step: .integer(step)
      case .minimum: .init(minimum)
      case .maximum: .init(maximum)
      case .limits: .text(limits.rawValue)
      case .target: .init(target)
      case .period: .init(period)
      case .began: .init(began)
      case .renewsAt: .init(renewsAt)
      case .reachedAt: .init(reachedAt)
      case .since: .init(since)
      case .boottime: .init(boottime)
      case .boot: .init(boot)
      case .lapped: .integer(lapped)
      case .name, .title, .colour, .icon, .note, .order: label(field) ?? .none
      case .formula, .display: .none
      default: settings[field] ?? .none
      }
    }
    set {
      switch field {
      case .tags: tags = (newValue.text ?? "").split(separator: " ").map(String.init)
      case .group: group = newValue.integer.map(ID.init)
      case .archived: isArchived = newValue.integer == 1
      case .start: start = newValue.integer ?? start
      case .step: step = max(1, newValue.integer ?? step)
      case .minimum: minimum = newValue.integer
      case .maximum: maximum = newValue.integer
      case .limits: limits = newValue.text.flatMap(Limits.init) ?? limits
      case .target: target = newValue.integer
      case .period: period = newValue.text
      case .began: began = newValue.integer
      case .renewsAt: renewsAt = newValue.integer
      case .reachedAt: reachedAt = newValue.integer
      case .since: since = newValue.integer
      case .boottime: boottime = newValue.integer
      case .boot: boot = newValue.text
      case .lapped: lapped = newValue.integer ?? 0
      case .name, .title, .colour, .icon, .note, .order: setLabel(field, to: newValue)
      case .formula, .display: break
      default: settings[field] = field.stored(newValue)
      }
    }
  }
}
