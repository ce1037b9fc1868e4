import Counting
import Journal
import Linux

/// What a fleet has to do with changes here.
extension Core {
  /// Records what was learned from other stations, so that questions see it.
  ///
  /// - Parameter isDue: whether it is committed now.
  func showLearned(isDue: Bool = false) {
    guard failure == nil, let fleet, fleet.hasNews else { return }
    if isDue {
      fleet.learningIsDue()
      settle()
    } else {
      do { try fleet.recordLearned() } catch {
        ServiceProcess.log(.error, "Counts of a fleet were not recorded: \(error)")
      }
    }
  }

  /// Records what other stations did with a counter.
  func performLearned(
    _ id: Counter.ID, by change: Int64, from station: String?, at time: Int64 = Clock.microsecondsSince1970()
  ) throws -> Event? {
    let cause = Cause(producer: "fleet", device: station)
    return try performOne(Request(.change(.learn(id, by: change)), time: time, cause: cause)).first
  }

  /// The fleet, for a change of it.
  func fleetInUse() throws -> FleetService {
    if let failure { throw failure }
    guard let fleet else { throw CountingError.notInFleet }
    return fleet
  }
}
