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
    #expect(try BrokerURL(text).withoutPassword == shown)
  }

  @Test func `a URL names host, port and account`() throws {
    let plain = try BrokerURL("mqtt://broker.example")
    #expect(plain.host == "broker.example" && plain.port == 1883 && !plain.isEncrypted && plain.user == nil)
    let full = try BrokerURL("mqtts://door1:se%3Acret%40%25@10.0.0.1:9000/")
    #expect(full.host == "10.0.0.1" && full.port == 9000 && full.isEncrypted)
    #expect(full.user == "door1" && full.password == "se:cret@%")
    #expect(try BrokerURL("mqtts://h").port == 8883)
    #expect(try BrokerURL("MQTT://u@h").password == nil)
    #expect(try BrokerURL("mqtt://u:p@ss@h").password == "p@ss")
    let six = try BrokerURL("mqtt://[fe80::1]:1884")
    #expect(six.host == "fe80::1" && six.port == 1884 && six.description == "[fe80::1]:1884")
  }

  @Test(arguments: [
    ("", "scheme"), ("broker", "scheme"), ("http://broker", "scheme"), ("ws://broker", "WebSockets"),
    ("mqtt://", "host"),
    ("mqtt://:1883", "host"), ("mqtt://[]", "host"), ("mqtt://h:0", "port"), ("mqtt://h:65536", "port"),
    ("mqtt://h:", "port"), ("mqtt://h:+1", "port"), ("mqtt://::1", "brackets"), ("mqtt://[::1", "bracket"),
    ("mqtt://[::1]x", "more than"), ("mqtt://h/topic", "more than"), ("mqtt://h?x=1", "more than"),
    ("mqtt://a%@h", "user"), ("mqtt://@h", "user"), ("mqtt://:p@h", "user"), ("mqtt://a:%00@h", "user"),
    ("mqtt://a:%ff@h", "user"), ("mqtt://u:%zz@h", "user"), ("mqtt://h h", "space"), ("mqtt://é", "host"),
    ("mqtt://h\n", "space"), ("mqtt://" + String(repeating: "a", count: 300), "host"),
    ("mqtt://" + String(repeating: "a", count: 1100), "1024"),
  ])
  func `a wrong URL is a sentence`(text: String, word: String) {
    #expect {
      try BrokerURL(text)
    } throws: { error in
      guard let fault = error as? BrokerURL.Fault else { return false }
      return fault.reason.hasPrefix("it ") && "\(fault)".contains(word) && "\(fault)".hasSuffix(".")
    }
  }

  @Test func `a URL that a journal has is kept, whatever it is`() {
    let odd = BrokerURL(stored: "mqtt://u:secret@[]")
    #expect(odd.text == "mqtt://u:secret@[]" && odd.host.isEmpty)
    #expect(!odd.withoutPassword.contains("secret"))
    #expect(BrokerURL(stored: "mqtt://u:pässword@host").password == "pässword")
  }

  @Test func `a command for mosquitto has host and port, and no password`() throws {
    #expect(
      try BrokerURL("mqtts://door1:secret@broker").publisher
        == "mosquitto_pub -h broker -p 8883 --tls-use-os-certs -u USER -P PASSWORD")
    #expect(try BrokerURL("mqtt://[::1]:21883").publisher == "mosquitto_pub -h ::1 -p 21883 -u USER -P PASSWORD")
    #expect(
      BrokerURL(stored: "mqtt://u:secret@[]").publisher == "mosquitto_pub -h BROKER -p 1883 -u USER -P PASSWORD")
  }

  @Test(arguments: ["mqtt://door1:secret@h:x", "door1:secret@h"]) func `no sentence has a password`(text: String) {
    #expect {
      try BrokerURL(text)
    } throws: {
      !"\($0)".contains("secret")
    }
  }
}
