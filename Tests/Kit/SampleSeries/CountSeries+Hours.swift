import Calendars
public import Counting
public import Reports

extension CountSeries {
  /// A series with one step for each number, by hours of universal time from 2026-11-21 08:00 on.
  public static func hours(_ net: [Int64], _ unit: Unit = .things) -> CountSeries {
    let (start, hour): (Int64, Int64) = (1_795_248_000_000_000, 3_600_000_000)
    let steps = net.enumerated().map { index, net in
      Step(start: start + Int64(index) * hour, counts: 1, added: max(0, net), subtracted: max(0, -net))
    }
    return CountSeries(
      unit: .hour, steps: steps, end: start + Int64(net.count) * hour, zone: .utc, days: .midnight,
      format: ValueText(unit: unit))
  }
}
