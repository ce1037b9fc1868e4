// Times and periods as people type them. The input is a text.
import Calendars

private let zones = ["Europe/Berlin", "Pacific/Apia", "America/Sao_Paulo"].compactMap {
  try? ZoneFolder().zone(named: $0)
}

private func read(_ text: String) {
  _ = TimeText.secondOfDay(text)
  if let schedule = Schedule(text) {
    demand(Schedule(schedule.description) == schedule, "a period is read as it is written: \(schedule)")
    for zone in zones {
      for time in [Int64.min, 0, 1_774_746_000, 1_792_891_800, .max] {
        let next = schedule.next(after: time, in: zone)
        demand(next ?? .max > time || time == .max, "a period ends in the future")
      }
    }
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

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  read(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
  return 0
}
