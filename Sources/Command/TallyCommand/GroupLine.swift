import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Text

/// The output of a group as text.
enum GroupLine {
  static func line(_ group: Counters.Group) -> String {
    let icon = group.icon.map { "\($0.printableIcon) " } ?? ""
    let title = group.title == group.name ? "" : "  " + Output.styled(group.title.printableLine, .faint)
    return icon + Output.styled(group.name, .bold) + title
  }

  /// The members of the reply, and the formulas of the group. If the unit is not whole things, the sum is also given as
  /// text in that unit, as with counters.
  static func json(_ overview: Counters.OverviewReply, _ formulas: [FormulaLine] = []) -> JSON {
    typealias Member = Counters.GroupMember.Member
    var object = overview.object
    if let sum = overview.sum, overview.unit != .things { object["sumText"] = .string(overview.unit.text(sum)) }
    object[Counters.OverviewReply.Member.members] = .array(
      overview.members.map { member in
        var object = member.object
        object[Member.counter] = CounterLine(member.counter).json
        return .object(object)
      })
    if !formulas.isEmpty { object["formulas"] = .array(formulas.map(\.json)) }
    return .object(object)
  }

  /// The members, followed by their sum and the formulas of the group.
  ///
  /// - Parameter archived: the names of the group's archived counters, which the overview leaves out.
  static func overview(
    _ overview: Counters.OverviewReply, _ formulas: [FormulaLine] = [], archived: [String] = []
  ) -> [String] {
    let members = overview.members.map(Member.init)
    guard !members.isEmpty else {
      guard formulas.isEmpty else { return FormulaLine.table(formulas) }
      return [empty(overview.group ?? "", archived: archived)]
    }
    let total = overview.sum.map { ValueText(unit: overview.unit).text($0) }
    let width = (members.map(\.value) + [total].compactMap(\.self)).map(\.count).max() ?? 0
    let titles = members.map { $0.title.clipped(to: max(8, Terminal.room - width - 11)) }
    let titleWidth = titles.map(\.columns).max() ?? 0
    func padded(_ text: String) -> String { String(repeating: " ", count: width - text.count) + text }
    var lines = zip(members, titles).map { member, title in
      let share = member.share.map {
        String(repeating: " ", count: titleWidth - title.columns + 2 + max(0, 5 - $0.count)) + "\($0) %"
      }
      return Output.styled(padded(member.value), .bold) + "  \(title)" + Output.styled(share ?? "", .faint)
    }
    if let total { lines.append(padded(total) + "  together") }
    if !archived.isEmpty { lines.append(Output.styled("left out (archived): \(archived.abridged())", .faint)) }
    if let highest = members.first(where: { $0.name == overview.highest }),
      let lowest = members.first(where: { $0.name == overview.lowest }), highest.value != lowest.value
    {
      lines.append(Output.styled("highest \(highest.title), lowest \(lowest.title)", .faint))
    }
    return lines + FormulaLine.section(formulas)
  }

  /// A sentence about a group without counters that could be shown or changed.
  static func empty(_ group: String, archived: [String]) -> String {
    guard !archived.isEmpty else { return "The group \(group) has no counters yet: tally move NAME --group \(group)" }
    return allArchived(group, archived)
  }

  static func allArchived(_ group: String?, _ names: [String]) -> String {
    let which = group.map { "All counters of \($0)" } ?? "All counters"
    return "\(which) are archived: \(names.abridged()). Use: tally archive \(names.first ?? "NAME") --back"
  }

  private struct Member {
    let name: String
    let title: String
    let value: String
    let share: String?

    init(_ member: Counters.GroupMember) {
      name = member.counter.name
      title = CounterLine(member.counter).title.printableLine
      value = CounterLine(member.counter).count
      share = member.share.map { ValueText(unit: .decimal(1)).text($0) }
    }
  }
}
