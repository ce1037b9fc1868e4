import Fleet
import Testing

@Suite struct `The settings of a fleet` {
  @Test(arguments: ["venue", "door-1", "1", String(repeating: "a", count: 32)]) func `a name is valid`(name: String) {
    #expect(Membership.isName(name))
  }

  @Test(arguments: ["", "-a", "A", "ä", "a b", "a/b", "+", "#", "all", String(repeating: "a", count: 33)])
  func `a name is not valid`(name: String) { #expect(!Membership.isName(name)) }

  @Test(
    arguments: [
      ("mqtt://host", "mqtt://host"), ("mqtts://u:p@ss@host:8883/", "mqtts://u@host:8883/"),
      ("mqtt://u@[::1]:1883", "mqtt://u@[::1]:1883"), ("mqtt://u:@host", "mqtt://u@host"),
      ("MQTTS://u:p@host", "MQTTS://u@host"),
    ])
  func `a broker is shown without its password`(text: String, shown: String) throws {
    #expect(try #require(BrokerURL(text)).withoutPassword == shown)
  }

  @Test(
    arguments: [
      "", "host", "http://host", "mqtt://", "mqtt://:1883", "mqtt://host:0", "mqtt://host:65536", "mqtt://host:x",
      "mqtt://host/path", "mqtt://@host", "mqtt://:p@host", "mqtt://ho st", "mqtt://[::1", "mqtt://host\n",
      "mqtt://" + String(repeating: "a", count: 1100),
    ])
  func `a broker is not valid`(text: String) { #expect(BrokerURL(text) == nil) }
}
