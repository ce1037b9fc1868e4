import Counting
import Journal
import Linux

/// The changes that a fleet makes here.
extension Core {
  /// Records merged acts of other stations as events, so that queries include them.
  ///
  /// - Parameter isDue: whether to commit now.
  func showLearned(isDue: Bool = false) {
    guard failure == nil, let fleet, fleet.hasNews else { return }
    if isDue {
      fleet.learningIsDue()
      commit()
    } else {
      do { try fleet.recordLearned() } catch {
        ServiceProcess.log(.error, "Counts of a fleet were not recorded: \(error)")
      }
    }
  }

  /// Records the acts of other stations on a counter.
  func performLearned(
    _ id: Counter.ID, by change: Int64, from station: String?, at time: Int64 = Clock.microsecondsSince1970()
  ) throws -> Event? {
    let cause = Cause(producer: "fleet", device: station)
    return try performOne(Request(.change(.learn(id, by: change)), time: time, cause: cause)).first
  }

  /// The fleet, if this core is in one.
  func fleetInUse() throws -> FleetService {
    if let failure { throw failure }
    guard let fleet else { throw CountingError.notInFleet }
    return fleet
  }
}
