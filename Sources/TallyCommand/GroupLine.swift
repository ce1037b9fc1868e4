import Counting
import Varlink

/// A group of the core, as lines for people.
enum GroupLine {
  static func line(_ group: JSONObject) -> String {
    let (name, title) = (group["name"]?.string ?? "", group["title"]?.string ?? "")
    let icon = group["icon"]?.string.map { "\($0) " } ?? ""
    return icon + Output.styled(name, .bold) + (title == name ? "" : "  " + Output.styled(title, .faint))
  }

  /// The members below each other, then what they come to together.
  static func overview(_ overview: JSONObject) -> [String] {
    let members = (overview["members"]?.array ?? []).map { Member($0.object ?? [:]) }
    guard !members.isEmpty else {
      return ["It has no counters yet: tally move NAME --group \(overview["group"]?.string ?? "")"]
    }
    let total = overview["sum"]?.int.map {
      (overview["stopwatches"]?.bool == true ? Unit.time : .decimal(overview["decimals"]?.int ?? 0)).text($0)
    }
    let width = (members.map(\.value) + [total].compactMap(\.self)).map(\.count).max() ?? 0
    let names = members.map(\.name.count).max() ?? 0
    func padded(_ text: String) -> String { String(repeating: " ", count: width - text.count) + text }
    var lines = members.map { member in
      let share = member.share.map {
        "  " + String(repeating: " ", count: names - member.name.count + max(0, 5 - $0.count)) + "\($0) %"
      }
      return Output.styled(padded(member.value), .bold) + "  \(member.name)" + Output.styled(share ?? "", .faint)
    }
    if let total { lines.append(padded(total) + "  together") }
    if let highest = overview["highest"]?.string, let lowest = overview["lowest"]?.string, members.count > 1 {
      lines.append(Output.styled("highest \(highest), lowest \(lowest)", .faint))
    }
    return lines
  }

  private struct Member {
    let name: String
    let value: String
    let share: String?

    init(_ object: JSONObject) {
      let counter = CounterLine(object["counter"]?.object ?? [:])
      name = counter.name
      value = counter.count
      share = object["share"]?.int.map { "\($0 / 10).\($0 % 10)" }
    }
  }
}
