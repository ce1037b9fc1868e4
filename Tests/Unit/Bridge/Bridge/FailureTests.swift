import BridgeService
import Fleet
import MQTT
import Testing

@Suite struct FailureTests {
  @Test func noSentenceHasThePassword() throws {
    let address = try BrokerURL("mqtt://door1:secret@h:1")
    let failures: [MQTTFailure] =
      [.system(111), .name, .silent, .lost(nil), .lost("y."), .protocolViolated, .files, .tooLong]
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
  }

  @Test func aMessageThatIsTooLongIsThereUntilSomebodyRemovesIt() {
    #expect(MQTTFailure.tooLong.isLasting)
    // Another version of the protocol has no other limit.
    #expect(!MQTTFailure.tooLong.isEarlyClose)
  }

  @Test func aPlainConnectionToAPortWithTLSHasAHint() throws {
    #expect(MQTTFailure.system(104).sentence(try BrokerURL("mqtt://h")).contains("mqtts://"))
    #expect(!MQTTFailure.system(104).sentence(try BrokerURL("mqtts://h")).contains("mqtts://"))
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
