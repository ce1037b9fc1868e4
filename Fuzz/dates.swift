// Times and periods as people type them, and the files of the zone database. The first byte says which of the two the rest is.
import Calendars

private let zones = ["Europe/Berlin", "Pacific/Apia", "America/Sao_Paulo"].compactMap {
  try? ZoneFolder().zone(named: $0)
}

/// Moments at which something may go wrong, in seconds since 1970.
private let moments: [Int64] = [.min, -62_135_596_800, -1, 0, 1_774_746_000, 1_792_891_800, 4_102_444_800, .max]

private func read(_ text: String) {
  _ = TimeText.secondOfDay(text)
  if let schedule = Schedule(text) {
    demand(Schedule(schedule.description) == schedule, "a period is read as it is written: \(schedule)")
  }
  for zone in zones + [.utc] {
    do throws(TimeError) {
      let moment = try TimeText.moment(text, now: 1_795_266_309_250_000, in: zone)
      demand(abs(moment) < 400_000_000_000_000_000, "a time lies in the years from 1 to 9999")
    } catch {
      demand(!error.message.isEmpty, "a refusal says why")
    }
  }
}

private func read(zone bytes: [UInt8]) {
  guard let rules = try? ZoneRules(tzif: bytes) else { return }
  let zone = Zone(name: "any", rules: rules)
  for moment in moments {
    let wall = zone.wallTime(at: moment)
    _ = zone.moments(of: wall)
    for unit in [Period.Unit.day, .week(from: 3), .month(from: 31)] {
      guard let period = Period(unit, secondOfDay: 9000) else { continue }
      _ = period.boundary(atOrBefore: moment, in: zone)
      let next = period.boundary(after: moment, in: zone)
      demand(next > moment || moment == .max, "a boundary lies ahead")
    }
  }
}

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: bytes, count: count)
  guard let first = input.first else { return 0 }
  if first & 1 == 0 {
    read(String(decoding: input.dropFirst(), as: UTF8.self))
  } else {
    read(zone: Array(input.dropFirst()))
  }
  return 0
}
