/// The fingers on one surface: which of them are judged together, and when.
///
/// Each finger is judged separately, so that a resting finger, a drop of water or the taps of another hand never block
/// a tap. If a gesture of several fingers is bound, fingers that land together form a ``FingerGroup`` and are judged
/// together as long as such a gesture is possible; then the rest of the group is judged separately.
///
/// A finger belongs to the ``TouchRegion`` in which it landed, and a group to the region of the zones that all of its
/// fingers share. Fingers of different regions form a group only for gestures that no zone separates: if a tap is bound
/// to one zone and not to the other, two taps stay two.
struct FingerGroups: Sendable {
  let surface: TouchSurface
  private let interests: [Interest]
  private let common: TouchLimits
  /// All zones that bindings name, the smallest first.
  private let zones: [Zone]
  let stagger: Int64
  /// The regions touched so far.
  var regions: [TouchRegion] = []
  var groups: [FingerGroup] = []
  /// Groups whose last finger lifted so recently that the panel may only have lost it.
  var ended: [FingerGroup] = []

  init(on surface: TouchSurface, interests: [Interest], timing: Timing, common: TouchLimits) {
    self.surface = surface
    self.interests = interests
    self.common = common
    var zones: [Zone] = []
    for zone in interests.compactMap(\.zone) where !zones.contains(zone) { zones.append(zone) }
    self.zones = zones.sorted { $0.area < $1.area }
    stagger = timing.stagger
  }

  // MARK: Regions

  /// The region at a position. Each set of overlapping zones has its own region.
  mutating func region(at position: Gesture.Position) -> Int {
    region(of: zones.isEmpty ? [] : zones.filter { $0.contains(position) })
  }

  mutating func region(of zones: [Zone]) -> Int {
    if let known = regions.firstIndex(where: { $0.zones == zones }) { return known }
    regions.append(TouchRegion(zones: zones, interests: interests, on: surface, common: common))
    return regions.count - 1
  }

  /// The region of the zones that two regions share.
  mutating func sharedRegion(_ one: Int, _ other: Int) -> Int {
    one == other ? one : region(of: regions[one].zones.filter(regions[other].zones.contains))
  }

  /// The region of a group, and the other regions of its fingers.
  func regions(of group: FingerGroup) -> [Int] {
    group.fingers.reduce(into: [group.region]) { if !$0.contains($1.region) { $0.append($1.region) } }
  }

  // MARK: Contacts

  /// Handles a count of fingers that exceeds the contacts: the other fingers are assumed to be at this contact.
  mutating func report(fingers: Int, with contact: Int, at time: Int64, into output: inout GestureOutput) {
    guard let region = find(contact).map({ groups[$0.group].region }) else { return }
    let here = groups.filter { $0.region == region }
    guard var all = here.first else { return }
    for group in here.dropFirst() { all.join(group, isOneHand: false) }
    guard fingers > all.count else { return }
    all.report(fingers, at: time)
    groups.removeAll { $0.region == region }
    groups.append(all)
    begin(groups.count - 1, time, into: &output)
  }

  /// Moves a contact. Returns whether the move corrected its landing position.
  mutating func move(
    _ contact: Int, to place: Stroke.Vector, at time: Int64, into output: inout GestureOutput
  ) -> Bool {
    change(contact, at: time, into: &output) { $0.move(to: place, at: time, limits: $1) }
  }

  /// Changes the stroke of a contact. Returns whether the change corrected its landing position.
  private mutating func change(
    _ contact: Int, at time: Int64, into output: inout GestureOutput, _ change: (inout Stroke, TouchLimits) -> Void
  ) -> Bool {
    guard let (index, finger) = find(contact) else { return false }
    let limits = regions[groups[index].region].limits
    let start = groups[index].fingers[finger].stroke.start
    groups[index].update(finger) { change(&$0, limits) }
    let place = groups[index].fingers[finger].stroke.start
    guard place != start else { return false }
    // The landing was reported at a wrong position.
    let position = surface.position(of: place)
    groups[index].correctLanding(of: finger, to: position)
    holdTaps(at: groups[index])
    var moved = groups[index].fingers[finger]
    let right = region(at: position)
    guard right != moved.region, !groups[index].isOver, !groups[index].isInseparable else { return true }
    drop(finger, of: index, at: time, into: &output)
    moved.region = right
    groups.append(FingerGroup(moved))
    awaitLongPress(groups.count - 1, after: time)
    holdTaps(at: groups[groups.count - 1])
    return true
  }

  /// Makes taps at the places of a group wait until the group's gesture is known.
  private mutating func holdTaps(at group: FingerGroup) {
    for region in regions(of: group) {
      guard let row = regions[region].row(of: group) else { continue }
      regions[region].taps[row].wait(until: group.startTime.later(by: regions[region].single.longPress))
    }
  }

  /// Corrects the coordinates of a contact whose finger did not move.
  mutating func shift(_ contact: Int, to place: Stroke.Vector) {
    guard let (group, finger) = find(contact) else { return }
    groups[group].update(finger) { $0.shift(to: place) }
  }

  mutating func lift(_ contact: Int, at time: Int64, into output: inout GestureOutput) {
    _ = change(contact, at: time, into: &output) { $0.rest(until: time, limits: $1) }
    guard let (index, finger) = find(contact) else { return }
    groups[index].longPress = nil
    groups[index].lift(finger, at: time, limits: regions[groups[index].region].limits)
    if groups[index].count == 1, !groups[index].isInseparable, let other = groups[index].fingers[0].other {
      // The stroke belongs to two fingers, and the gesture of the first one was judged already.
      groups[index] = FingerGroup(other)
    }
    // The panel may have lost this finger for a moment, while other fingers are down.
    groups[index].review = nil
    conclude(index, at: time, into: &output)
  }

  /// Removes a contact that is not a finger, such as a palm. The other fingers are judged as if the contact had never
  /// landed.
  mutating func remove(
    _ contact: Int, as reason: InputReport.Reason, at time: Int64, into output: inout GestureOutput
  ) {
    guard let (index, finger) = find(contact) else { return }
    output.report(.nothing(reason, groups[index].fingers[finger].position))
    flushRows(of: groups[index], into: &output)
    drop(finger, of: index, at: time, into: &output)
  }

  private mutating func drop(_ finger: Int, of index: Int, at time: Int64, into output: inout GestureOutput) {
    guard groups[index].fingers.count > 1 else {
      groups.remove(at: index)
      return
    }
    groups[index].remove(finger)
    split(groups.remove(at: index), at: time, into: &output)
  }

  /// Drops the touches in progress, because events were lost.
  mutating func forget(at time: Int64, into output: inout GestureOutput) {
    for group in groups {
      if !group.isOver { output.report(.nothing(.unseen, group.position)) }
      // Taps that waited for gestures of these fingers no longer wait.
      for region in regions(of: group) { regions[region].taps.wait(until: time) }
    }
    groups = []
    ended = []
  }

  /// Adds a contact whose landing was not seen. It makes no gesture.
  mutating func adopt(_ contact: Int, at place: Stroke.Vector, _ position: Gesture.Position, _ time: Int64) {
    let region = region(at: position)
    regions[region].taps.wait(until: time)
    var group = FingerGroup(
      FingerGroup.Finger(
        contact: contact, region: region, position: position, stroke: Stroke(from: place, at: time)))
    group.isOver = true
    groups.append(group)
  }

  /// Emits the taps that wait for further ones.
  mutating func flush(into output: inout GestureOutput) {
    for region in regions.indices { regions[region].taps.flush(into: &output) }
  }

  private func find(_ contact: Int) -> (group: Int, finger: Int)? {
    for (number, group) in groups.enumerated() {
      if let finger = group.index(of: contact) { return (number, finger) }
    }
    return nil
  }
}
