import CoreAPI
import JSON
import Testing

@testable import TallyCommand

@Suite struct GroupLineTests {
  private func member(_ name: String, _ value: Int64, share: Int64?, title: String? = nil) -> JSON {
    var object: JSONObject = [
      "counter": ["name": .string(name), "title": .string(title ?? name), "value": .int(value)]
    ]
    object["share"] = share.map(JSON.int)
    return .object(object)
  }

  @Test func `members stand below each other with their shares and their sum`() {
    let overview: JSONObject = [
      "group": "players", "sum": 10, "highest": "anna", "lowest": "ben",
      "members": [member("anna", 9, share: 900), member("ben", 1, share: 100)],
    ]
    #expect(
      GroupLine.overview(.init(overview))
        == [" 9  anna   90.0 %", " 1  ben    10.0 %", "10  together", "highest anna, lowest ben"])
  }

  @Test func `members have their titles, and equal ones no highest and no lowest`() {
    var overview: JSONObject = [
      "group": "players", "sum": 10, "highest": "anna", "lowest": "ben",
      "members": [member("anna", 9, share: 900, title: "Anna B."), member("ben", 1, share: 100)],
    ]
    #expect(
      GroupLine.overview(.init(overview))
        == [" 9  Anna B.   90.0 %", " 1  ben       10.0 %", "10  together", "highest Anna B., lowest ben"])
    overview["sum"] = 0
    overview["members"] = [member("anna", 0, share: nil), member("ben", 0, share: nil)]
    #expect(GroupLine.overview(.init(overview)) == ["0  anna", "0  ben", "0  together"])
  }

  @Test func `a group without counters says how it gets one`() {
    #expect(
      GroupLine.overview(.init(["group": "team"])) == [
        "The group team has no counters yet: tally move NAME --group team"
      ])
  }

  @Test func `a group whose counters are all archived names them`() {
    #expect(
      GroupLine.overview(.init(["group": "team"]), archived: ["anna", "ben"])
        == ["All counters of team are archived: anna, ben. Use: tally archive anna --back"])
  }

  @Test func `a group has its icon, its name and its title`() {
    #expect(GroupLine.line(.init(["name": "team", "title": "team"])) == "team")
    #expect(GroupLine.line(.init(["name": "team", "title": "Our team", "icon": "⚽"])) == "⚽ team  Our team")
  }
}
