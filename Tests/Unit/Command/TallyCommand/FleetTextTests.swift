import CoreAPI
import Fleet
import JSON
import Testing

@testable import TallyCommand

@Suite struct `The fleet as text` {
  @Test func `a core in no fleet says how to join one`() {
    #expect(FleetText(Counters.FleetReply()).lines == [FleetText.none])
  }

  @Test func `stations, counters, offers and troubles are lines`() {
    let fleet = Counters.FleetReply([
      "fleet": "venue", "station": "door1", "broker": "mqtt://host", "connected": true, "trouble": "One.\nTwo.",
      "stations": [
        ["name": "door1", "id": "1", "own": true, "contribution": 3],
        ["name": "door2", "id": "2", "online": true, "behind": 2, "contribution": 4, "clock": -9_000_000],
      ],
      "others": 5,
      "counters": [
        [
          "name": "people", "id": "c", "value": 7, "own": 3, "unheard": 1,
          "shares": [["station": "door1", "change": 3]],
        ],
        [
          "name": "fee", "id": "f", "value": 125, "own": 20, "decimals": 1, "others": 70,
          "shares": [["station": "door1", "change": 20], ["station": "door2", "change": 35]],
          "kept": [["station": "door2", "change": 35]],
        ],
        ["name": "bags", "id": "b", "value": -4, "own": 0, "shares": [["station": "door2", "change": -4]]],
      ],
      "offers": [
        ["name": "cats", "id": "k", "title": "Cats", "station": "door2"],
        ["name": "dogs", "id": "d", "title": "Dogs", "station": "door2", "here": "dogs"],
        ["name": "mice", "id": "m", "title": "Mice", "station": "door2", "here": "rats"],
      ],
    ])
    #expect(
      FleetText(fleet).lines == [
        "Fleet venue, station door1, broker mqtt://host (connected)", "  door1: this station",
        "  door2: online, has not confirmed 2 changes of this station yet, clock 9 s behind",
        "  people: 7, of which 3 here; 1 change here not confirmed by another station yet",
        "  fee: 12.5, of which 2.0 here",
        "    door1 2.0, door2 3.5, others 7.0 (left, or not heard yet)",
        "    kept 3.5 of door2, which had not heard of the reset",
        "  bags: −4, of which 0 here", "    door2 −4",
        "  cats is shared by door2: tally fleet adopt cats",
        "  dogs is shared by door2: tally fleet adopt dogs --from-now, or --bring",
        "  mice is shared by door2, and was rats here: tally fleet adopt mice --as rats --bring, or --from-now",
        "! One.", "! Two.",
        "! The clock of door2 is 9 s behind that of this station. Counts near the end of a period may fall into another one; "
          + "“timedatectl” shows whether the network sets them.",
      ])
  }

  @Test func `what an adoption replaces is said`() {
    let before = Counters.Counter([
      "name": "a", "value": 0, "start": 0, "maximum": 100, "limits": "refuse", "decimals": 1,
    ])
    let now = Counters.Counter([
      "name": "a", "value": 0, "start": 0, "maximum": 80, "minimum": 5, "limits": "stop", "decimals": 1,
    ])
    #expect(
      FleetText.replaced(before, by: now)
        == ["minimum 0.5 (was none)", "maximum 8.0 (was 10.0)", "limits stop (was refuse)"])
    #expect(FleetText.replaced(now, by: now).isEmpty)
  }

  @Test func `of offers with one name each is adopted by a command that the core takes`() {
    let offers: [JSON] = [("people", "k"), ("people", "d"), ("cats", "m")].map { name, id in
      ["name": .string(name), "id": .string(id), "station": "door2"]
    }
    func lines(_ offers: [JSON]) -> [String] {
      FleetText(.init(["fleet": "venue", "station": "door1", "offers": .array(offers)])).lines.filter {
        $0.contains("is shared")
      }
    }
    #expect(
      lines(offers) == [
        "  people is shared by door2: tally fleet adopt k", "  people is shared by door2: tally fleet adopt d",
        "  cats is shared by door2: tally fleet adopt cats",
      ])
    #expect(
      lines([["name": "people", "id": "d", "station": "door2", "taken": true]]) == [
        "  people is shared by door2: tally fleet adopt people --as NEW"
      ])
  }

  @Test func `counters of an invitation that are not counted here are named`() {
    let fleet = FleetText(
      .init([
        "fleet": "venue", "station": "door2", "counters": [["name": "people", "id": "c", "value": 7, "own": 3]],
        "offers": [
          ["name": "cats", "id": "k", "station": "door1", "here": "cats"],
          ["name": "dogs", "id": "d", "station": "door1", "taken": true],
          ["name": "mice", "id": "m", "station": "door3"],
        ],
      ]))
    #expect(fleet.missing(of: ["c"]) == [])
    #expect(
      fleet.missing(of: ["c", "k", "d", "b"]) == [
        "cats is not counted here yet: tally fleet adopt cats --from-now, or --bring",
        "dogs is not counted here yet: tally fleet adopt dogs --as NEW",
        "A counter of the invitation is not offered yet. Once it is: tally fleet adopt b",
      ])
  }

  @Test(
    arguments: [
      ("mqtts://door1:secret@localhost", "mqtts://door1:PASSWORD@NAME"), ("mqtt://127.0.0.1:1884", "mqtt://NAME:1884"),
      ("mqtt://[::1]", "mqtt://NAME"), ("mqtt://broker.local", nil),
    ] as [(String, String?)])
  func `a broker that only this machine can name is not for others`(url: String, advised: String?) throws {
    let advice = FleetInvitation.advice(against: try BrokerURL(url))
    #expect(advice?.split(separator: " ").last.map(String.init) == advised)
  }

  @Test func `a station that is behind is a finding after some time`() {
    func findings(_ members: JSONObject) -> [String] {
      var station: JSONObject = ["name": "door2", "id": "2", "online": true]
      for (name, value) in members { station[name] = value }
      return FleetText(.init(["fleet": "venue", "connected": true, "stations": [.object(station)]])).findings
    }
    #expect(findings(["behind": 1]) == [])
    #expect(findings(["behind": 1, "lag": 19_000_000]) == [])
    #expect(
      findings(["behind": 1, "lag": 21_500_000]) == ["door2 has not confirmed 1 change of this station for 21 s."])
    #expect(
      findings(["behind": 2, "lag": 90_000_000]) == ["door2 has not confirmed 2 changes of this station for 90 s."])
  }

  @Test func `of clocks that differ, the one is wrong with which no other agrees`() {
    func findings(_ clocks: [Int64]) -> [String] {
      let others = clocks.enumerated().map { number, clock in
        JSON.object(["name": .string("door\(number + 2)"), "id": "2", "online": true, "clock": .int(clock * 1_000_000)])
      }
      let own = JSON.object(["name": "door1", "id": "1", "own": true])
      return FleetText(.init(["fleet": "venue", "connected": true, "stations": .array([own] + others)])).findings
        .compactMap { $0.split(separator: ".").first.map(String.init) }
    }
    #expect(findings([600]) == ["The clock of door2 is 600 s ahead of that of this station"])
    #expect(findings([0, -600]) == ["The clock of door3 is 600 s behind that of this station"])
    #expect(
      findings([-600, -604])
        == ["The clock of this station is probably wrong: it is 604 s ahead of those of all others"])
    #expect(
      findings([600, 606])
        == ["The clock of this station is probably wrong: it is 600 s behind those of all others"])
    for clocks in [[600, -600], [6, -4], [600, 700]] as [[Int64]] {
      #expect(findings(clocks).allSatisfy { $0.hasPrefix("The clock of door") })
    }
    #expect(findings([.min / 1_000_000, .max / 1_000_000]).count == 2)
  }

  @Test func `refusals are sentences with the words of the command line`() {
    let said = [
      ("fleet", "this core is in no fleet; join one first"),
      ("bring", "say whether it is added (bring) or dropped (from now)"),
      ("new", "give the counter of the fleet another name"), ("station", "it must have letters"),
    ]
    #expect(
      said.map(FleetText.refusal) == [
        "This core is in no fleet; join one first.", "Say whether it is added (--bring) or dropped (--from-now).",
        "Give the counter of the fleet another name (--as NEW).", "--station must have letters.",
      ])
  }

  @Test func `a station is told its next step`() {
    func text(_ isConnected: Bool, _ names: [JSON]) -> FleetText {
      let offers = names.map { JSON.object(["name": $0, "id": "d", "title": $0, "station": "door2"]) }
      return FleetText(.init(["fleet": "venue", "connected": .bool(isConnected), "offers": .array(offers)]))
    }
    #expect(text(false, []).nextSteps.contains("tally-mqttd must run here"))
    #expect(!text(true, []).nextSteps.contains("tally-mqttd"))
    #expect(text(true, ["dogs"]).nextSteps == "Count what others share: tally fleet adopt dogs")
    #expect(text(true, ["dogs", "cats"]).nextSteps == "Count what others share: tally fleet adopt dogs (or cats)")
    let members: JSONObject = [
      "fleet": "venue", "connected": true, "counters": [["name": "people", "id": "c", "value": 7, "own": 3]],
    ]
    let sharing = FleetText(.init(members))
    #expect(sharing.nextSteps(after: sharing.fleet) == "It counts 1 counter with the fleet, as before.")
    #expect(sharing.nextSteps(after: Counters.FleetReply()) == sharing.nextSteps)
    #expect(text(true, ["dogs"]).nextSteps(after: text(true, []).fleet) == text(true, ["dogs"]).nextSteps)
    #expect(text(false, []).adviceWithoutOffer.contains("tally fleet doctor"))
    #expect(text(true, []).adviceWithoutOffer.contains("tally fleet share NAME"))
    #expect(text(true, ["dogs", "cats"]).adviceWithoutOffer == "Offered are: dogs by door2, cats by door2.")
  }

  @Test func `programs get a line for each station, and the fleet in that of this station`() {
    #expect(FleetText(Counters.FleetReply()).json == [["fleet": nil, "problem": .string(FleetText.none)]])
    let fleet = Counters.FleetReply([
      "fleet": "venue", "station": "door1", "id": "1", "broker": "mqtt://host", "connected": true,
      "trouble": "One.\nTwo.",
      "stations": [
        ["name": "door1", "id": "1", "own": true, "online": true],
        ["name": "door2", "id": "2", "online": true, "clock": -742, "lastSeen": 1_764_000_000_000_000],
      ],
      "others": 5,
      "counters": [
        ["name": "people", "id": "c", "value": 7, "own": 3, "unheard": 2],
        [
          "name": "fee", "id": "f", "value": 125, "own": 20, "decimals": 1, "others": 70,
          "shares": [["station": "door1", "change": 20]], "kept": [["station": "door2", "change": 35]],
        ],
      ],
      "offers": [["name": "dogs", "id": "d", "title": "Dogs", "station": "door2"]],
    ])
    #expect(
      FleetText(fleet).json == [
        [
          "name": "door1", "id": "1", "own": true, "online": true, "fleet": "venue", "broker": "mqtt://host",
          "connected": true, "others": 5,
          "counters": [
            ["name": "people", "id": "c", "value": 7, "own": 3, "unheard": 2],
            [
              "name": "fee", "id": "f", "value": 125, "own": 20, "decimals": 1, "others": 70, "text": "12.5",
              "ownText": "2.0", "othersText": "7.0", "shares": [["station": "door1", "change": 20, "text": "2.0"]],
              "kept": [["station": "door2", "change": 35, "text": "3.5"]],
            ],
          ],
          "offers": [["name": "dogs", "id": "d", "title": "Dogs", "station": "door2"]], "problems": ["One.", "Two."],
        ],
        [
          "name": "door2", "id": "2", "online": true, "clock": -742,
          "lastSeen": .string(LocalTime(microseconds: 1_764_000_000_000_000).iso8601),
        ],
      ])
  }

  @Test func `the doctor names stations that are offline, and since when`() {
    let fleet = Counters.FleetReply([
      "fleet": "venue", "station": "door1", "connected": true,
      "stations": [
        ["name": "door1", "id": "1", "own": true, "online": true],
        ["name": "door2", "id": "2", "online": false, "lastSeen": 1_764_000_000_000_000],
        ["name": "door3", "id": "3", "online": false],
      ],
    ])
    let since = LocalTime(microseconds: 1_764_000_000_000_000)
    #expect(
      FleetText(fleet).findings == ["door2 is offline since \(since.day) \(since.clock).", "door3 is offline."])
  }

  @Test func `an unknown command of the fleet is found before its options`() {
    #expect(Tally.unknownWordOfFleet(Tally.arranged(["fleet", "jion", "--fleet", "x"])) == "jion")
    #expect(Tally.unknownWordOfFleet(Tally.arranged(["--json", "--socket", "x", "fleet", "jion"])) == "jion")
    for words in [
      ["fleet"], ["fleet", "--json"], ["fleet", "join", "x"], ["fleet", "help"], ["fleet", "-h"], ["add", "x"],
    ] {
      #expect(Tally.unknownWordOfFleet(Tally.arranged(words)) == nil)
    }
  }

  @Test func `a reset names the stations that have not heard of it`() {
    func absent(_ members: JSONObject) -> String? { FleetText(Counters.FleetReply(members)).absent }
    let stations: JSON = [
      ["name": "door1", "id": "1", "own": true, "online": true], ["name": "door2", "id": "2", "online": false],
      ["name": "door3", "id": "3", "online": true],
    ]
    #expect(
      absent(["fleet": "venue", "connected": true, "stations": stations])
        == "door2 is offline. What it counts until it hears of this reset stays, and tally fleet will name it.")
    #expect(absent(["fleet": "venue", "stations": stations])?.hasPrefix("The broker is not connected.") == true)
    #expect(absent(["fleet": "venue", "connected": true]) == nil)
  }
}
