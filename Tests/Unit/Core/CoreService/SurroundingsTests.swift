import Foundation
import JSON
import Testing
import Varlink

/// What a core goes by that is no part of its journal.
@Suite struct `After an import` {
  let core: TestCore
  let client: TestClient

  init() throws {
    core = try TestCore()
    client = try core.client()
    try client.call("Import", ["entries": [["value": ["name": "a", "value": "3"]]]])
  }

  @Test func `time zones are known as before`() throws {
    #expect(try client.value("a") == 3)
    try client.call("Create", ["name": "b", "period": "daily 04:00 Europe/Berlin"])
    let counter = try client.call("Get", ["counter": "b"])["counter"]?.object
    #expect(counter?["period"] == "daily 04:00 Europe/Berlin")
    #expect(refusal { try client.call("Create", ["name": "c", "period": "daily 04:00 Nowhere/Land"]) } == "BadSetting")
  }
}
