/// The contacts that a surface reports, whichever way it reports them; one entry for each slot.
///
/// Events are taken one by one; `settle` makes them valid at the end of a frame. `changed` says which entries the frame
/// touched, so that the cost of a frame does not depend on how many contacts a surface could have.
struct ContactTable: Equatable, Sendable {
  var contacts: [Contact]
  /// A bit for each entry that changed within the frame.
  var changed: UInt64 = 0

  private let reporting: TouchSurface.Reporting
  private let palm: Int32?
  /// The slot that the next events speak of; nil where it lies outside the table, and they are of no use.
  private var slot: Int? = 0
  private var lists = ContactLists()
  /// How many fingers the device says there are (BTN_TOOL_FINGER, BTN_TOOL_DOUBLETAP, …), which can be more than it
  /// has places for.
  private(set) var told = 0
  /// What BTN_TOUCH said last; nil until it was on once, for there are devices that never use it.
  private var isTouched: Bool?

  init(_ surface: TouchSurface) {
    reporting = surface.reporting
    palm = surface.palm
    let count =
      switch surface.reporting {
      case .slots(let count): count
      case .anonymous: ContactLists.limit
      case .single: 1
      }
    contacts = Array(repeating: Contact(), count: count)
  }

  /// Whether a finger is on the surface at this entry. A surface that uses BTN_TOUCH takes it back while all its
  /// contacts only hover.
  func isDown(_ index: Int) -> Bool { contacts[index].isNear && isTouched != false && !isPalm(index) }

  /// Whether the contact is, or was in an earlier frame, a hand that rests rather than a finger.
  func isPalm(_ index: Int) -> Bool {
    let contact = contacts[index]
    return contact.wasPalm || contact.tool == EventCode.palm || palm.map { contact.size >= $0 } ?? false
  }

  mutating func take(_ event: InputEvent) {
    switch (event.type, reporting) {
    case (EventCode.absolute, .slots): takeSlotted(event)
    case (EventCode.absolute, .anonymous): lists.take(event)
    case (EventCode.absolute, .single): takeSingle(event)
    case (EventCode.synchronisation, .anonymous): lists.take(event)
    case (EventCode.key, _) where event.code == EventCode.touch: takeTouch(isOn: event.value != 0)
    case (EventCode.key, _): takeTool(event)
    default: break
    }
  }

  /// The frame is complete: brings the entries up to date with what it said.
  mutating func settle() {
    if case .anonymous = reporting { lists.settle(&contacts, &changed) }
  }

  /// The changes of the contact have been dealt with.
  mutating func finish(_ index: Int) {
    contacts[index].isReplaced = false
    if isPalm(index) { contacts[index].wasPalm = true }
  }

  /// Forgets every contact.
  mutating func clear() {
    for index in contacts.indices { contacts[index].id = -1 }
    isTouched = nil
    told = 0
    lists = ContactLists()
  }

  private mutating func takeSlotted(_ event: InputEvent) {
    if event.code == EventCode.slot {
      slot = contacts.indices.contains(Int(event.value)) ? Int(event.value) : nil
      return
    }
    guard let slot, contacts[slot].take(event.code, event.value) else { return }
    changed |= 1 << UInt64(slot)
  }

  private mutating func takeSingle(_ event: InputEvent) {
    let code =
      switch event.code {
      case EventCode.x: EventCode.contactX
      case EventCode.y: EventCode.contactY
      case EventCode.distance: EventCode.contactDistance
      default: event.code
      }
    if code != event.code, contacts[0].take(code, event.value) { changed |= 1 }
  }

  private mutating func takeTool(_ event: InputEvent) {
    let fingers: Int
    switch event.code {
    case EventCode.toolFinger: fingers = 1
    case EventCode.twoFingers...EventCode.fourFingers: fingers = Int(event.code - EventCode.twoFingers) + 2
    case EventCode.fiveFingers: fingers = 5
    default: return
    }
    // Of two that change within a frame the one that is on counts, in whatever order they come.
    if event.value != 0 { told = fingers } else if told == fingers { told = 0 }
  }

  private mutating func takeTouch(isOn: Bool) {
    if isOn { isTouched = true } else if isTouched != nil { isTouched = false }
    switch reporting {
    case .single:
      contacts[0].identify(isOn ? 0 : -1)
      changed |= 1
    case .anonymous:
      if !isOn { lists.empty() }
    case .slots:
      changed = ~0 >> UInt64(64 - contacts.count)
    }
  }
}
