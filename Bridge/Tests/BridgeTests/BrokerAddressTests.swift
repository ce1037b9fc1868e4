import Bridge
import BridgeService
import MQTT
import Testing

@Suite struct BrokerAddressTests {
  @Test func aURLNamesHostPortAndAccount() throws {
    let plain = try BrokerAddress("mqtt://broker.example")
    #expect(plain.host == "broker.example" && plain.port == 1883 && !plain.isEncrypted && plain.user == nil)
    let full = try BrokerAddress("mqtts://door1:se%3Acret%40%25@10.0.0.1:9000/")
    #expect(full.host == "10.0.0.1" && full.port == 9000 && full.isEncrypted)
    #expect(full.user == "door1" && full.password == "se:cret@%")
    #expect(try BrokerAddress("mqtts://h").port == 8883)
    #expect(try BrokerAddress("MQTT://u@h").password == nil)
    let six = try BrokerAddress("mqtt://[fe80::1]:1884")
    #expect(six.host == "fe80::1" && six.port == 1884 && six.description == "[fe80::1]:1884")
  }

  @Test(arguments: [
    ("broker", "scheme"), ("http://broker", "scheme"), ("ws://broker", "WebSockets"), ("mqtt://", "host"),
    ("mqtt://:1883", "host"), ("mqtt://h:0", "port"), ("mqtt://h:65536", "port"), ("mqtt://h:", "port"),
    ("mqtt://h:+1", "port"), ("mqtt://::1", "brackets"), ("mqtt://[::1", "bracket"), ("mqtt://[::1]x", "more than"),
    ("mqtt://h/topic", "more than"), ("mqtt://h?x=1", "more than"), ("mqtt://a%@h", "user"), ("mqtt://@h", "user"),
    ("mqtt://a:%00@h", "user"), ("mqtt://a:%ff@h", "user"), ("mqtt://h h", "more than"), ("mqtt://é", "host"),
  ])
  func aWrongURLIsASentence(url: String, word: String) {
    #expect { try BrokerAddress(url) } throws: { error in
      guard let fault = error as? BrokerAddress.Fault else { return false }
      return fault.description.contains(word) && fault.description.hasSuffix(".") || word == "bracket"
    }
  }

  @Test func noSentenceHasThePassword() throws {
    let address = try BrokerAddress("mqtt://door1:secret@h:1")
    let failures: [MQTTFailure] =
      [.system(111), .name, .silent, .lost(nil), .lost("y."), .protocolViolated, .files]
      + (0..<160).map { .refused(code: $0) }
      + [
        .expired, .notYetValid, .unknownAuthority, .wrongName, .certificateWanted, .certificateRefused("x"), .noTLS,
        .closed,
        .other("x"),
      ].map { .tls($0) }
    for failure in failures {
      let sentence = failure.sentence(address)
      #expect(!sentence.contains("secret") && sentence.hasSuffix(".") && !sentence.hasSuffix(".."))
    }
    #expect { try BrokerAddress("mqtt://door1:secret@h:x") } throws: { !"\($0)".contains("secret") }
    #expect { try BrokerAddress("door1:secret@h") } throws: { !"\($0)".contains("secret") }
  }

  @Test(
    arguments: [
      ("certificate verify failed", 10, .expired), ("certificate verify failed", 9, .notYetValid),
      ("certificate verify failed", 20, .unknownAuthority), ("certificate verify failed", 62, .wrongName),
      ("certificate verify failed", -1, .other("certificate verify failed")),
      ("tlsv13 alert certificate required", 0, .certificateWanted),
      ("sslv3 alert certificate expired", 0, .certificateRefused("sslv3 alert certificate expired")),
      ("tlsv1 alert unknown ca", 0, .certificateRefused("tlsv1 alert unknown ca")),
      ("sslv3 alert handshake failure", 10, .other("sslv3 alert handshake failure")),
      ("wrong version number", 0, .noTLS), ("unexpected eof while reading", 0, .closed),
    ] as [(String, Int, TLSFailure)])
  func aFailureOfTLSHasAReason(reason: String, result: Int, failure: TLSFailure) {
    #expect(TLSFailure(reason: reason, result: result) == failure)
  }
}
