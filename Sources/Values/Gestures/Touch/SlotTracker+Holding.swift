/// Holds frames of protocol A back until they are certain.
extension SlotTracker {
  /// Returns the frames of protocol A that are certain now, in their order. The caller applies them.
  ///
  /// If a contact was exchanged for another one far away, the frame is held until the other contact has lasted as long
  /// as a tap, for at least two frames. If the first contact returns before that, or the other one disappears, the held
  /// frames were wrong and are dropped. If the contact was alone and moves on in the same direction, it began a fast
  /// stroke.
  mutating func confirm(by frame: Frame) -> [Frame] {
    let list = list(of: frame)
    if let first = held.first, !frame.isResync {
      let doubtful = self.list(of: first)
      let isRestored = list.restores(contacts, lostIn: doubtful, at: frame.time)
      let isRetained = list.retains(contactsThatAreNewIn: doubtful, beside: contacts, at: frame.time)
      let isBrief = frame.time.elapsed(since: first.time) ?? .max < TouchLimits.shortestTap
      if !isRestored, held.count == 1, list.continuesStroke(of: contacts, through: doubtful) {
        lists.allowAnyStep()
        held = []
        return [first, frame]
      }
      if !isRestored, isRetained, isBrief, held.count < Self.mostHeld {
        held.append(frame)
        return []
      }
      defer { held = [] }
      if !isRestored, !isBrief, isRetained || held.count > 1 { return held + [frame] }
    }
    held = []
    guard !frame.isResync, list.hasExchange(of: contacts, at: frame.time) else { return [frame] }
    held = [frame]
    return []
  }

  /// The maximum number of held frames: more than a panel reports within the shortest tap.
  private static let mostHeld = 16

  /// The list of a frame of protocol A.
  private func list(of frame: Frame) -> ProtocolATracker {
    var copy = self
    for event in frame.events { copy.take(event) }
    copy.lists.endList()
    return copy.lists
  }
}
