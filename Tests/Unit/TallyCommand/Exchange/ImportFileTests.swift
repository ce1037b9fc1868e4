import TestKit
import Testing
import Varlink

@testable import TallyCommand

/// Tables and archives of other programs as lines that the core takes.
@Suite struct ImportFileTests {
  private func lines(_ text: String) throws -> [String] { try ImportFile.entries(text).entries.map(\.description) }

  /// The message about a text that is refused, with its line.
  private func fault(_ text: String) -> String {
    do {
      return "taken: \(try lines(text))"
    } catch let error as ImportFile.Fault {
      return "\(error.line): \(error.reason)"
    } catch {
      return "\(error)"
    }
  }

  // MARK: Tables

  @Test(arguments: [
    "name,value\nDogs,7\n", "Value;Label\n7;Dogs\n", "count\titem\r\n7\tDogs\r\n", "Category,Total\nDogs,7",
    "Dogs,7\n", "7;Dogs", " NAME , Tally \n Dogs , 7 \n", "name,other,number\nDogs,x,7",
  ])
  func `the columns of a table are found by their names, or by what they hold`(table: String) throws {
    #expect(try lines(table) == [#"{"value":{"name":"Dogs","value":"7"}}"#])
  }

  @Test func `a name that is none becomes one, and is kept as the title`() throws {
    #expect(
      try lines("name,value\n\"Kids, small\",3\n")
        == [#"{"value":{"name":"Kids-small","value":"3","title":"Kids, small"}}"#])
    #expect(
      try lines("name,title,value\nkids,Loud kids,3\n")
        == [#"{"value":{"name":"kids","value":"3","title":"Loud kids"}}"#])
  }

  @Test func `a table of times is a table of counts, of one each or of an amount`() throws {
    let time = #""time":1763643900000000"#
    #expect(
      try lines("when,counter\n2025-11-20T14:05+01:00,kids\n")
        == [#"{"count":{"name":"kids",\#(time),"amount":"1"}}"#])
    #expect(
      try lines("time,name,change\n2025-11-20T13:05Z,kids,-2\n")
        == [#"{"count":{"name":"kids",\#(time),"amount":"-2"}}"#])
    #expect(
      try lines("time,name,value\n2025-11-20T13:05Z,kids,4\n")
        == [#"{"count":{"name":"kids",\#(time),"amount":"4"}}"#])
    #expect(try lines("2025-11-20T13:05Z\n") == [#"{"count":{"name":"count",\#(time),"amount":"1"}}"#])
  }

  @Test func `a record is a line of the core, with its time in words`() throws {
    #expect(
      try lines("record\n\"{\"\"event\"\":{\"\"time\"\":\"\"2025-11-20T13:05Z\"\",\"\"kind\"\":\"\"added\"\"}}\"\n")
        == [#"{"event":{"time":1763643900000000,"kind":"added"}}"#])
  }

  @Test(arguments: [
    ("name,value\na,1\nb,many\n", "3: “many” is not a number"),
    ("name,time,amount\na,2026-11-21 14:05,lots\n", "2: “lots” is not a number"),
    ("name,value\na,\n", "2: it has neither a value nor a time"),
    ("name,value\na\n", "2: it has neither a value nor a time"),
    ("time,name\nyesterdaay,a\n", "2: “yesterdaay” is not a time."), ("record\n{\n", "2: its record is not JSON"),
  ])
  func `a record that makes no sense is refused with its line`(table: String, message: String) {
    let found = fault(table)
    #expect(found.hasPrefix(message.hasSuffix("no time.") ? "2: " : message), "\(found)")
    #expect(!found.hasPrefix("taken"))
  }

  @Test(arguments: ["", "\n", "name,value\n"]) func `a table without records is nothing`(table: String) throws {
    #expect(try lines(table) == [])
  }

  @Test(arguments: [
    ("name,value\nA/B,5\nA B,7\n", "3: “A/B” and “A B” would both become “A-B”"),
    ("name,value\nRed squirrels,9\nRed-squirrels,1\n", "3: “Red squirrels” and “Red-squirrels” would both become"),
    ("🐿,2\n🦊,3\n", "2: “🐿” and “🦊” would both become “counter”"),
    ("name,time\nA/B,2026-01-02 10:00\nA B,2026-01-02 10:00\n", "3: “A/B” and “A B” would both"),
    ("name,value,group\na,1,Team A\nb,2,Team-A\n", "3: “Team A” and “Team-A” would both become “Team-A”"),
    ("name,value,unit,formula\nA B,1,,\nA/B,1,formula,1 + 1\n", "3: “A B” and “A/B” would both"),
  ])
  func `two names that would become one are refused, so that no value is lost`(table: String, message: String) {
    #expect(fault(table).hasPrefix(message), "\(fault(table))")
  }

  @Test func `a name comes up as often as it is counted, and a group may have the name of a counter`() throws {
    let table = "name,value,group\nA B,1,A B\nA B,2,A B\n"
    #expect(try lines(table).filter { $0.contains(#""value":{"name":"A-B""#) }.count == 2)
  }

  @Test(arguments: [
    "name,time\na,2026-01-02 10:00\na,2099-01-01 10:00\n",
    "{}\n{\"count\":{\"name\":\"a\",\"time\":4070944800000000,\"amount\":\"1\"}}\n",
    "record\n{}\n\"{\"\"count\"\":{\"\"name\"\":\"\"a\"\",\"\"time\"\":4070944800000000,\"\"amount\"\":\"\"1\"\"}}\"\n",
  ])
  func `a count in the future is refused with its line`(text: String) {
    let found = fault(text)
    #expect(found.hasPrefix(text.hasPrefix("{") ? "2: 20" : "3: 20"), "\(found)")
    #expect(found.hasSuffix(" is in the future; a count must have a time that has passed"))
  }

  // MARK: Numbers

  @Test(arguments: [
    ("7", "7"), ("+3", "3"), ("-3", "-3"), ("−3", "-3"), ("1 234", "1234"), ("1\u{202F}234", "1234"), ("1'234", "1234"),
    ("1,234", "1234"), ("1,234,567", "1234567"), ("1,234.5", "1234.5"), ("12,5", "12.5"), ("1.25", "1.25"),
    ("0,125", "0125"), ("1,2345", "1.2345"),
    ("1.234,5", "1234.5"), ("1.234.567,89", "1234567.89"), ("1.234.567", "1234567"),
  ])
  func `numbers are read as people write them`(text: String, number: String) {
    #expect(ImportFile.number(text) == number)
  }

  @Test(arguments: [
    "", "-", "+", "many", "1.", ".5", "1.2.3", "1e3", "--1", "+-", "٣", "０", "1/2", "=1+2", "$5", "5 €",
  ])
  func `text that is not a number is refused`(text: String) { #expect(ImportFile.number(text) == nil) }

  // MARK: Names

  @Test(arguments: [
    ("people", "people"), ("Kids, small!", "Kids-small"), ("a  b", "a-b"), ("a-", "a"), ("größe", "größe"),
    ("人数", "人数"), ("v1.2_x", "v1.2_x"), ("7", "counter-7"), ("", "counter"), ("🚗", "counter"),
    ("-x", "x"), ("_foo", "foo"), (".bar", "bar"), ("-_.", "counter"), ("Ⅷ", "counter"), ("@home", "home"),
    (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
  ])
  func `a name of another counter becomes one that is taken here`(text: String, name: String) {
    #expect(ImportFile.name(text) == name)
  }

  // MARK: Lines of JSON

  @Test func `lines of JSON are handed on, counters as they are shown become values, and bindings are set apart`()
    throws
  {
    let text = """
      {"tallymark":1}

      {"kind":"counter","name":"litres","title":"Litres","value":125,"decimals":2}
      {"name":"dogs","title":"dogs","value":7}
      {"bindings":"[[bind]]"}
      {"event":{"time":"2025-11-20T13:05Z"}}
      """
    let (entries, bindings) = try ImportFile.entries(text)
    let lines = entries.map(\.description)
    #expect(
      lines == [
        #"{"tallymark":1}"#, #"{"value":{"name":"litres","value":"1.25","title":"Litres"}}"#,
        #"{"value":{"name":"dogs","value":"7"}}"#, #"{"event":{"time":1763643900000000}}"#,
      ])
    #expect(bindings == "[[bind]]")
  }

  @Test func `a line that is no JSON is refused with its number`() {
    #expect(fault("{}\n\n{\"a\":}\n").hasPrefix("3: it is not JSON ("))
    #expect(fault("{}\n{\"event\":{\"time\":\"soon\"}}\n").hasPrefix("2: "))
  }
}
