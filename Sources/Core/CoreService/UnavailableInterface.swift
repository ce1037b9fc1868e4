import Journal
import Varlink

/// The interface `org.tallymark.Counters` while there is no journal: every call returns the reason.
struct UnavailableInterface {
  let rights: CurrentRights
  let reason: () -> StoreError

  func serve(on service: Service) throws(Interface.SyntaxError) {
    service.add(try Interface(CountersInterface.description)) { call in
      call.fail(rights.refusal(of: call) ?? VarlinkError(reason()))
    }
  }
}
