import CoreAPI
import Testing
import Varlink

@testable import TallyCommand

@Suite struct `The text of an error` {
  @Test func `is a sentence, with the name of the error only for programs`() {
    let refusal = Counters.Refusal(.noSuchGroup(name: "x"), message: "There is no group called “x”.")
    #expect(ErrorText.text(of: refusal, isNamed: false) == "There is no group called “x”.")
    #expect(
      ErrorText.text(of: refusal, advice: "Create it.", isNamed: true)
        == "org.tallymark.Counters.NoSuchGroup: There is no group called “x”. Create it.")
  }

  @Test func `is a sentence for errors of the protocol, too`() {
    #expect(
      ErrorText.text(of: .invalidParameter("time"), isNamed: false)
        == "The core does not accept this time. If it is older than this program, restart it.")
    #expect(
      ErrorText.text(of: .methodNotFound("Move"), isNamed: false)
        == "The core has no method “Move”. If it is older than this program, restart it.")
    #expect(
      ErrorText.text(of: .methodNotFound("Move"), isNamed: true)
        == "org.varlink.service.MethodNotFound: The core has no method “Move”. If it is older than this program, restart it."
    )
  }
}
