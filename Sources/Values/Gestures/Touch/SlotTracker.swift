/// The contacts of a surface with any protocol; one entry per slot.
struct SlotTracker: Equatable, Sendable {
  var contacts: [Contact]
  /// A bit for each entry that changed within the frame.
  var changed: UInt64 = 0

  private let reporting: TouchSurface.Reporting
  /// The sizes of contacts that are no fingers; nil once a contact was larger than the device can state.
  private var palm: ClosedRange<Int32>?
  /// The slot of the next events; nil for a slot outside of the table, whose events are ignored.
  private var slot: Int? = 0
  var lists: ProtocolATracker
  /// The held frames of protocol A. In the first one a contact was exchanged for another contact, which the later
  /// frames also list.
  var held: [Frame] = []
  /// The number of fingers that the device states (BTN_TOOL_FINGER to BTN_TOOL_QUINTTAP); 0 if it states none.
  private(set) var reportedFingerCount = 0
  /// The last state of BTN_TOUCH; nil before BTN_TOUCH was first on: some devices never use it.
  private var isTouched: Bool?
  /// Whether BTN_TOUCH was on within the frame.
  private var wasTouched = false
  /// Whether BTN_TOUCH went off within the frame.
  private var hasTouchEnded = false
  /// Whether a slot lost its contact within the frame.
  private var hasContactEnded = false
  /// A bit for each slot that has reported nothing since BTN_TOUCH went off.
  private var silent: UInt64 = 0
  /// Whether sizes are meaningful: some contact was smaller than a palm.
  private var isSizeTelling = false

  init(_ surface: TouchSurface) {
    reporting = surface.reporting
    lists = ProtocolATracker(surface)
    palm = surface.palm
    let count =
      switch surface.reporting {
      case .typeB(let slots): slots
      case .typeA: ProtocolATracker.limit
      case .single: 1
      }
    contacts = Array(repeating: Contact(), count: count)
  }

  /// Whether a finger is on the surface in this slot. BTN_TOUCH, if the surface uses it, is off while all contacts
  /// hover.
  func isDown(_ index: Int) -> Bool {
    isTouching(contacts[index]) && !isPalm(index) && silent & (1 << UInt64(index)) == 0
  }

  /// Whether a finger landed and lifted within the frame, in a slot that was empty before.
  func hasComeAndGone(_ index: Int) -> Bool {
    let contact = contacts[index]
    return contact.hasBegun && contact.id < 0 && !contact.isFinger && !isPalm(index)
      && (contact.distance <= 0 || reporting == .single)
  }

  /// Whether a contact touches the surface. For a surface with one contact, BTN_TOUCH alone decides: pens are known
  /// whose ABS_DISTANCE stays above zero while they touch.
  private func isTouching(_ contact: Contact) -> Bool {
    guard contact.hasPlace, isTouched != false else { return false }
    return reporting == .single || contact.distance <= 0 && !contact.isEmpty
  }

  /// Whether the contact is, or was in an earlier frame, a resting hand rather than a finger.
  ///
  /// Some panels give every contact the same size, some the largest possible one, and some sizes that exceed it: a size
  /// is meaningful only if others are smaller.
  func isPalm(_ index: Int) -> Bool {
    let contact = contacts[index]
    guard !contact.wasPalm, contact.tool != EventCode.MT_TOOL_PALM else { return true }
    return isSizeTelling && palm.map { max(contact.size, contact.largest) >= $0.lowerBound } ?? false
  }

  /// Records the size of a contact in the frame.
  private mutating func note(size: Int32) {
    guard size > 0, let palm else { return }
    if size > palm.upperBound { self.palm = nil }
    if size < palm.lowerBound { isSizeTelling = true }
  }

  mutating func take(_ event: InputEvent) {
    switch (event.type, reporting) {
    case (EventCode.EV_ABS, .typeB): takeSlotted(event)
    case (EventCode.EV_ABS, .typeA): lists.take(event)
    case (EventCode.EV_ABS, .single): takeSingle(event)
    case (EventCode.EV_SYN, .typeA): lists.take(event)
    case (EventCode.EV_KEY, _) where event.code == EventCode.BTN_TOUCH: takeTouch(isOn: event.value != 0)
    case (EventCode.EV_KEY, _): takeTool(event)
    default: break
    }
  }

  /// Finds the contacts that BTN_TOUCH applies to. Some panels never end the IDs of lifted contacts: BTN_TOUCH then
  /// belongs to the slots that report something, or else to the current slot. Others switch BTN_TOUCH off whenever a
  /// contact ends, although others remain.
  private mutating func applyTouch() {
    if hasTouchEnded, isTouched == false {
      if hasContactEnded, contacts.contains(where: { $0.id >= 0 }) { isTouched = nil } else { silent = allSlots }
    } else if isTouched == true, silent == allSlots, let slot {
      silent &= ~(1 << UInt64(slot))
    }
  }

  private var allSlots: UInt64 { ~0 >> UInt64(64 - contacts.count) }

  /// Completes the frame: updates the entries.
  mutating func endFrame(at time: Int64, isResync: Bool) {
    if case .typeA = reporting { lists.endFrame(&contacts, &changed, at: time, isResync: isResync) }
    if case .typeB = reporting { applyTouch() }
    for index in Bits(changed) { contacts[index].stale.subtract(contacts[index].moved) }
    for index in Bits(changed) where contacts[index].id >= 0 {
      contacts[index].largest = max(contacts[index].largest, contacts[index].size)
      contacts[index].hardest = max(contacts[index].hardest, contacts[index].pressure)
      note(size: contacts[index].size)
    }
  }

  /// Ends the frame, after all changes were handled.
  mutating func endFrame() {
    for index in Bits(changed) { contacts[index].moved = [] }
    changed = 0
    (wasTouched, hasTouchEnded, hasContactEnded) = (false, false, false)
  }

  /// Ends the changes of a contact, after they were handled.
  mutating func finish(_ index: Int) {
    contacts[index].isReplaced = false
    contacts[index].hasBegun = false
    if isPalm(index) { contacts[index].wasPalm = true }
  }

  mutating func clear() {
    for index in contacts.indices { contacts[index].id = -1 }
    isTouched = nil
    reportedFingerCount = 0
    silent = 0
    lists.clear()
    held = []
  }

  private mutating func takeSlotted(_ event: InputEvent) {
    if event.code == EventCode.ABS_MT_SLOT {
      slot = contacts.indices.contains(Int(event.value)) ? Int(event.value) : nil
      return
    }
    guard let slot, contacts[slot].take(event.code, event.value) else { return }
    changed |= 1 << UInt64(slot)
    silent &= ~(1 << UInt64(slot))
    if event.code == EventCode.ABS_MT_TRACKING_ID, event.value < 0 { hasContactEnded = true }
  }

  private mutating func takeSingle(_ event: InputEvent) {
    let code =
      switch event.code {
      case EventCode.ABS_X: EventCode.ABS_MT_POSITION_X
      case EventCode.ABS_Y: EventCode.ABS_MT_POSITION_Y
      case EventCode.ABS_DISTANCE: EventCode.ABS_MT_DISTANCE
      case EventCode.ABS_PRESSURE: EventCode.ABS_MT_PRESSURE
      default: event.code
      }
    guard code != event.code, contacts[0].take(code, event.value) else { return }
    changed |= 1
  }

  private mutating func takeTool(_ event: InputEvent) {
    let fingers: Int
    switch event.code {
    case EventCode.BTN_TOOL_FINGER: fingers = 1
    case EventCode.BTN_TOOL_DOUBLETAP...EventCode.BTN_TOOL_QUADTAP:
      fingers = Int(event.code - EventCode.BTN_TOOL_DOUBLETAP) + 2
    case EventCode.BTN_TOOL_QUINTTAP: fingers = 5
    default: return
    }
    // If two tools change within a frame, the tool that is switched on counts, in either order.
    if event.value != 0 {
      reportedFingerCount = fingers
    } else if reportedFingerCount == fingers {
      reportedFingerCount = 0
    }
  }

  private mutating func takeTouch(isOn: Bool) {
    // Some drivers set BTN_TOUCH for the contacts of each report and clear it after them. Such a BTN_TOUCH has no
    // meaning.
    let isIdle = !isOn && wasTouched && reporting != .single
    if isOn { isTouched = true } else if isTouched != nil { isTouched = isIdle ? nil : false }
    wasTouched = wasTouched || isOn
    hasTouchEnded = !isOn
    switch reporting {
    case .single:
      contacts[0].identify(isOn ? 0 : -1)
      changed |= 1
    case .typeA:
      if !isOn, !isIdle { lists.empty() }
    case .typeB:
      changed = allSlots
    }
  }
}

/// The positions of the set bits of a word, lowest first.
struct Bits: Sequence, IteratorProtocol {
  private var word: UInt64

  init(_ word: UInt64) { self.word = word }

  mutating func next() -> Int? {
    guard word != 0 else { return nil }
    defer { word &= word - 1 }
    return word.trailingZeroBitCount
  }
}
