import Counting
import JSON
import Linux
import TestKit
import Testing

@testable import TallyCommand

/// Tables and archives of other programs as lines that the core takes.
@Suite struct ImportFileTests {
  private func lines(_ text: String, _ choices: String...) throws -> [String] {
    try read(text, choices).entries.map(\.description)
  }

  /// The entries of a text with lines of JSON or a table.
  private static func read(
    _ text: String, _ choices: [ColumnChoice] = [], _ mark: DecimalMark? = nil
  ) throws -> (table: ImportFile.Table, bindings: String?) {
    let file = try TemporaryFile(in: "/tmp")
    try file.append(text.utf8)
    try file.flush()
    if let table = try ImportFile.table(in: file.lines, choices, mark) { return (table, nil) }
    var (table, bindings) = (ImportFile.Table(), String?.none)
    try ImportFile.forEachEntry(of: file.lines) {
      table.entries.append($0)
    } bindings: {
      bindings = $0
    }
    return (table, bindings)
  }

  private func read(_ text: String, _ choices: [String] = []) throws -> ImportFile.Table {
    try Self.read(text, choices.map { try #require(ColumnChoice(argument: $0)) }).table
  }

  /// The sum of the counts of each counter, in the order in which they come up.
  private func counts(_ text: String, _ choices: String...) throws -> [String] {
    var sums: [(name: String, sum: Double)] = []
    for entry in try read(text, choices).entries {
      guard let count = entry.object?["count"]?.object, let name = count["name"]?.string,
        let amount = Double(count["amount"]?.string ?? "")
      else { continue }
      if let index = sums.firstIndex(where: { $0.name == name }) {
        sums[index].sum += amount
      } else {
        sums.append((name, amount))
      }
    }
    return sums.map { "\($0.name) \($0.sum)" }
  }

  /// The message about a text that is refused, with its line.
  private func fault(_ text: String, _ choices: String...) -> String {
    do {
      return "taken: \(try read(text, choices).entries)"
    } catch let error as ImportFile.Fault {
      return "\(error.line): \(error.reason)"
    } catch {
      return "\(error)"
    }
  }

  // MARK: Tables

  @Test(arguments: [
    "name,value\nDogs,7\n", "Value;Label\n7;Dogs\n", "count\titem\r\n7\tDogs\r\n", "Category,Total\nDogs,7",
    "Dogs,7\n", "7;Dogs", " NAME , Tally \n Dogs , 7 \n", "name,other,number\nDogs,,7",
    #"{"name":"Dogs","value":7}"#, #"{"count":"7","Counter":"Dogs"}"#, "\n\nname,value\n\nDogs,7",
  ])
  func `the columns of a table are found by their names, or by what they hold`(table: String) throws {
    let lines = try lines(table).map { $0.replacing(/,"line":\d/, with: "") }
    #expect(lines == [#"{"value":{"name":"Dogs","value":"7"}}"#])
  }

  @Test func `a name that is none becomes one, and is kept as the title`() throws {
    #expect(
      try lines("name,value\n\"Kids, small\",3\n")
        == [#"{"value":{"name":"Kids-small","value":"3","line":2,"title":"Kids, small"}}"#])
    #expect(
      try lines("name,title,value\nkids,Loud kids,3\n")
        == [#"{"value":{"name":"kids","value":"3","line":2,"title":"Loud kids"}}"#])
  }

  @Test func `a table of times is a table of counts, of one each or of an amount`() throws {
    let time = #""time":1763643900000000"#
    #expect(
      try lines("when,counter\n2025-11-20T14:05+01:00,kids\n")
        == [#"{"count":{"name":"kids",\#(time),"amount":"1","line":2}}"#])
    #expect(
      try lines("time,name,change\n2025-11-20T13:05Z,kids,-2\n")
        == [#"{"count":{"name":"kids",\#(time),"amount":"-2","line":2}}"#])
    #expect(
      try lines("time,name,count\n2025-11-20T13:05Z,kids,4\n")
        == [#"{"count":{"name":"kids",\#(time),"amount":"4","line":2}}"#])
    // It may be how the counter stood then.
    #expect(fault("time,name,value\n2025-11-20T13:05Z,kids,4\n").hasPrefix("1: the column “value” may hold"))
    #expect(try lines("2025-11-20T13:05Z\n") == [#"{"count":{"name":"count",\#(time),"amount":"1","line":1}}"#])
  }

  @Test(arguments: [
    ("name,value\na,1\nb,many\n", "3: “many” is not a number"),
    ("name,time,amount\na,2026-11-21 14:05,lots\n", "2: “lots” is not a number"),
    ("name,value\na,1\nb,99999999999999999999\n", "3: “99999999999999999999” is not a valid amount: it is"),
    ("name,value\na,1\nb,9223372036854775.8071\n", "3: “9223372036854775.8071” is not a valid amount: it is"),
    ("date,a\n2026-11-21,99999999999999999999\n", "2: “99999999999999999999” is not a valid amount: it is"),
    ("name;value\na;1\nb;0,12345678901\n", "3: “0.12345678901” is not a valid amount: it must be"),
    ("name,value\na,\n", "2: its “value” is empty"), ("name,value\na\n", "2: its “value” is empty"),
    ("name,time,amount\na,2026-11-21 14:05,1\na,2026-11-21 14:06,\n", "3: its “amount” is empty"),
    ("name,value\na,1\n\"b\nc\",2\n", "3: “b\u{FFFD}c” contains a line break"),
    ("name,value\na,1\nb,1,234\n", "3: it has 3 values, and the header 2 columns"),
    ("date,name,amount\n2026-11-21,a,1,7,8\n", "2: it has 5 values, and the header 3 columns"),
    ("time,name\nyesterdaay,a\n", "2: “yesterdaay” is not a time."),
  ])
  func `a record that makes no sense is refused with its line`(table: String, message: String) {
    let found = fault(table)
    #expect(found.hasPrefix(message.hasSuffix("no time.") ? "2: " : message), "\(found)")
    #expect(!found.hasPrefix("taken"))
  }

  @Test func `values beyond the header are left out on request`() throws {
    let table = "name,value\na,1,x\n"
    #expect(fault(table).contains("--column -=3"))
    #expect(try lines(table, "-=3") == [#"{"value":{"name":"a","value":"1","line":2}}"#])
  }

  @Test(arguments: [
    "11/28/2026 1:15 PM", "11/28/2026 1:15:00 p.m.", "11/28/2026 1:15pm", "11/28/2026, 1:15:00\u{202F}PM",
    "11/28/2026 13:15", "2026-11-28 01:15 PM", "28.11.2026 1:15 pm",
  ])
  func `a time of twelve hours is read as one of twenty-four`(text: String) throws {
    let expected = try lines("time,name\n2026-11-28 13:15,a\n")
    #expect(try lines("time,name\n\"\(text)\",a\n") == expected)
    guard let clock = text.split(separator: " ", maxSplits: 1).dropFirst().first, text.hasPrefix("2026") else { return }
    #expect(try lines("date,time,name\n2026-11-28,\(clock),a\n") == expected)
  }

  @Test func `midnight and noon are twelve, and no hour is beyond`() throws {
    for (text, hour) in [("12:05 AM", "00"), ("12:05 PM", "12"), ("1 AM", "01")] {
      let minute = text.hasPrefix("12") ? "05" : "00"
      #expect(
        try lines("time,name\n2026-11-28 \(text),a\n") == lines("time,name\n2026-11-28 \(hour):\(minute),a\n"))
    }
    for text in ["13:05 PM", "0:05 AM", "1:5 PM", "PM", "1:05 XM", "1:05-PM"] {
      #expect(fault("time,name\n2026-11-28 \(text),a\n").hasPrefix("2: “2026-11-28 \(text)” is not a time"))
    }
  }

  @Test func `the options in the message about a date work as they are shown`() throws {
    let table = "When it was,Name\n11/08/2026 1:15 PM,a\n"
    let message = fault(table, "time=When it was")
    #expect(message.hasSuffix("--column 'day-first=When it was' or --column 'month-first=When it was'"), "\(message)")
    #expect(try lines(table, "month-first=When it was") == lines("time,name\n2026-11-08 13:15,a\n"))
    #expect(try lines(table, "day-first=When it was") == lines("time,name\n2026-08-11 13:15,a\n"))
    let mixed = fault("time,name\n11/28/2026,a\n28/11/2026,a\n")
    #expect(mixed.hasPrefix("2: “11/28/2026” has the month first, and another date of the column “time” has not"))
  }

  @Test(arguments: [true, false]) func `a table in UTF-16 with its mark is read`(isLittle: Bool) throws {
    let text = "\u{FEFF}name\tvalue\r\nÄpfel 🍏\t7\r\nਊ\t8"
    let bytes = text.utf16.flatMap { unit in
      let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
      return isLittle ? [low, high] : [high, low]
    }
    for ending in [[], isLittle ? [10, 0] : [0, 10]] as [[UInt8]] {
      let file = try TemporaryFile(in: "/tmp")
      try file.append(bytes + ending)
      try file.flush()
      let entries = try ImportFile.table(in: file.lines, [])?.entries.map(\.description)
      #expect(entries?.count == 2 && entries?.first?.contains(#""value":"7","line":2,"title":"Äpfel 🍏""#) == true)
    }
  }

  @Test(arguments: [[0xC4], [0], [0xFF, 0xFE]] as [[UInt8]])
  func `a file that is no UTF-8 is refused with the line`(bytes: [UInt8]) throws {
    let file = try TemporaryFile(in: "/tmp")
    try file.append(Array("name,value\na,1\nb".utf8) + bytes + Array(",2\n".utf8))
    try file.flush()
    let error = #expect(throws: ImportFile.Fault.self) { try ImportFile.table(in: file.lines, []) }
    #expect(error?.line == 3 && error?.reason.hasPrefix("it is not UTF-8") == true)
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

  @Test func `a group may have the name of a counter`() throws {
    let table = "name,value,group\nA B,1,A B\n"
    #expect(try lines(table).filter { $0.contains(#""value":{"name":"A-B""#) }.count == 1)
  }

  @Test(arguments: [
    ("name,value\nOV,5\nCall,2\n\nOV,7\n", "5: “OV” stands on line 2 too"),
    ("OV,5\nOV,5\n", "2: “OV” stands on line 1 too"),
    ("name,value,group\nOV,5,Seller\nOV,7,Buyer\n", "3: “OV” stands on line 2 too"),
    ("{\"name\":\"OV\",\"value\":5}\n\n{\"name\":\"OV\",\"value\":7}", "3: “OV” stands on line 1 too"),
    (
      #"{"name":"a","title":"a","value":5}"# + "\n" + #"{"name":"a","title":"a","value":7}"#,
      "2: “a” stands on line 1 too"
    ),
  ])
  func `a counter with two values is refused with both lines`(table: String, message: String) {
    #expect(fault(table).hasPrefix(message), "\(fault(table))")
  }

  // MARK: Columns

  @Test(arguments: [
    ("FeatureName,Zeit,Value\na,2026-01-02,1\n", "columns “FeatureName”, “Zeit” is not known"),
    ("Layout, Name, Count\nSeller, OV, 5\n", "column “Layout” is not known"),
    ("Layout, Name, Count\nSeller, OV, 5\n", "--column name=Layout"),
    ("name,value,my note\na,1,x\n", "--column '-=my note'"),
    ("Tag,Dogs,Cats\n2026-05-01,12,5\n", "columns “Tag”, “Dogs”, “Cats” is not known"),
    ("Date,Dogs,Weather\n2026-05-01,12,rain\n", "columns “Dogs”, “Weather” is not known"),
    ("name,category,value\na,b,1\n", "columns “name”, “category” have the same meaning, name"),
    ("name,time,total\na,2026-05-01,12\n", "“total” may hold what each row adds, or how the counter stood then"),
    ("name,value" + String(repeating: ",", count: 255) + "\na,1\n", "it has more than 256 columns"),
    ("date,a,a\n2026-05-01,1,2\n", "the columns 2 and 3 would both be the counter “a”"),
    ("name,title\na,b\n", "no column holds values, or the times of counts"),
    (#"{"name":"a","value":1,"colour":"red"}"#, "column “colour” is not known"),
    ("a,b,5\n", "columns 1 and 2 may both be the name"), ("a,5,6\n", "columns 2 and 3 may both be the value"),
    ("a,1682371234\n", "the numbers in column 2 may be times or amounts"),
  ])
  func `a column of unknown meaning is refused by its name`(table: String, message: String) {
    #expect(fault(table).hasPrefix("1: "), "\(fault(table))")
    #expect(fault(table).contains(message), "\(fault(table))")
  }

  @Test(arguments: [
    ("date,name,count\n1/12/26,a,3\n", "2: the year in “1/12/26” has two digits. Write it with four"),
    ("date,name,count\n31.12.25 10:00,a,3\n", "2: the year in “31.12.25 10:00” has two digits"),
    ("date,name,count\n25-12-31,a,3\n", "2: the year in “25-12-31” has two digits"),
    ("25-12-31\n25-12-30\n", "1: the year in “25-12-31” has two digits"),
    ("a,5\nb,x\nc,7\n", "2: “x” in column 2 is no number. Correct it, or leave the column out: --column -=2"),
    ("date,Cars\n2026-01-01,5\n2026-01-02,x\n", "3: “x” in the column “Cars” is no number"),
    ("Dog,Km\nrex,5\nfido,x\nbo,7\n", "1: the meaning of the columns “Dog”, “Km” is not known"),
    ("2026-01-01,5\nfoo,6\n2026-01-03,1\n", "2: “foo” in column 1 is no time"),
    ("2026-01-01,5\n2026-01-02,6\n", "1: the table has no header, and the numbers in column 2 may be what each"),
    ("n\0a\0m\0e\0\n\0a\0\n\0", "1: it is UTF-16 without a byte order mark"),
  ])
  func `one bad cell is named, and nothing is guessed`(table: String, message: String) {
    #expect(fault(table).hasPrefix(message), "\(fault(table))")
  }

  @Test(arguments: [
    "Title,Date,Count\nDogs,2026-05-01,3\nCats,2026-05-01,4\nDogs,2026-05-02,5\n",
    "Group,Title,Date,Count\nPets,Dogs,2026-05-01,8\nPets,Cats,2026-05-01,4\n",
    #"{"title":"Dogs","time":"2026-05-01T10:00Z","amount":8}"# + "\n"
      + #"{"title":"Cats","time":"2026-05-01T10:00Z","amount":4}"#,
  ])
  func `titles are the names of a table without names`(table: String) throws {
    #expect(try counts(table) == ["Dogs 8.0", "Cats 4.0"])
  }

  @Test(arguments: [
    ("Group,Value\nDogs,3\n", "no column holds the names of counters. If “Group” does: --column name=Group; "),
    ("Unit,Date,Count\nDogs,2026-05-01,3\n", "name=Unit; otherwise leave it out: --column -=Unit"),
    ("Display,Date,Count\nDogs,2026-05-01,3\n", "If “Display” does: --column name=Display"),
    ("Formula,Date,Count\nDogs,2026-05-01,3\n", "If “Formula” does: --column name=Formula"),
    (#"{"group":"Dogs","time":"2026-05-01T10:00Z"}"#, "If “group” does: --column name=group"),
    ("Number,Date,Amount\n7,2026-05-01,3\n", "the columns “Number”, “Amount” may both hold what was counted."),
    ("Name,Total,Change\nDogs,12,2\n", "Leave one of them out: --column -=Change or --column -=Total"),
    ("Date,Name,Count,Amount\n2026-05-01,Dogs,3,7.50\n", "the columns “Count”, “Amount” may both hold what was"),
    (#"{"name":"Dogs","value":12,"increment":5}"#, "the columns “value”, “increment” may both hold what was"),
    ("Name,Value,Change\nDogs,,2\n", "the column “Change” holds amounts, and no column their times."),
    ("Name,Amount\nDogs,12\n", "If it holds the values of the counters: --column value=Amount"),
    ("Name,2026\nDogs,12\n", "it may be a header, because of “Name”, or a row, because of “2026”. If it is a header"),
    ("Date,10,20\n2026-05-01,3,4\n", "it may be a header, because of “Date”, or a row, because of “10”."),
    ("Date,Habit\n2026-05-01,1\n2026-05-02,0\n", "Say it: --column name=Habit or --column counts=Habit"),
    ("Date,Tracker\n2026-05-01,1.5\n", "the column “Tracker” may hold names of counters, or the amounts"),
    ("Date,Habit\n2026-05-01,yes\n2026-05-02,no\n", "the column “Habit” may hold names of counters"),
  ])
  func `what may be a name, a value or a row is asked`(table: String, message: String) {
    #expect(fault(table).hasPrefix("1: "), "\(fault(table))")
    #expect(fault(table).contains(message), "\(fault(table))")
  }

  @Test func `the answers to what is asked are taken`() throws {
    #expect(try counts("Date,Habit\n2026-05-01,1\n2026-05-02,0\n", "counts=Habit") == ["Habit 1.0"])
    let totals = "Date,Adults,Total\n2026-05-01,3,3\n"
    #expect(
      fault(totals, "counts=Adults")
        == "1: “Total” cannot be the value beside columns that are counters. Leave it out: --column -=Total; or it is one as "
        + "well: --column counts=Total; the columns are “Date”, “Adults”, “Total”")
    #expect(try counts(totals, "-=Total") == ["Adults 3.0"])
    #expect(try counts(totals, "counts=Total") == ["Adults 3.0", "Total 3.0"])
    #expect(try counts("Date,Item\n2026-05-01,7\n", "name=Item") == ["counter-7 1.0"])
    #expect(try counts("Date,Item,Count\n2026-05-01,7,3\n") == ["counter-7 3.0"])
    #expect(try counts("Date,Name,Count,Amount\n2026-05-01,Dogs,3,7.50\n", "-=Amount") == ["Dogs 3.0"])
    #expect(try counts("Date,Name,Count,Amount\n2026-05-01,Dogs,,7.50\n") == ["Dogs 7.5"])
    #expect(try read("Date,Name,Count,Amount\n2026-05-01,Dogs,,7.50\n").format == nil)
    #expect(try lines("Name,Value,Change\nDogs,7,\n") == lines("Name,Value\nDogs,7\n"))
    #expect(try lines("Tally,5\nDogs,7\n", "name=1", "value=2").count == 2)
    // Without names there is one counter, which may be a stopwatch.
    #expect(try lines("when,amount,unit\n2026-05-01,1:30,s\n").last?.contains(#""amount":"1:30""#) ?? false)
  }

  @Test(arguments: [
    ("Date,Reps,Streak,Weight\n2026-11-20,20,1,80\n", ["Streak", "Weight"]),
    (
      "Date,Steps,Daily goal,Weight (kg),Average steps\n2026-11-20,9,8,80,7\n",
      ["Daily goal", "Weight (kg)", "Average steps"]
    ),
    ("#;Date;KW;Adults;Gesamt\n1;2026-11-20;47;5;5\n", ["#", "KW", "Gesamt"]),
    ("No.,Date,Année,Yes,No,Weight lifting,Goals\n1,2026-11-20,2026,5,5,1,2\n", ["No.", "Année"]),
    (#"{"day":"2026-11-20","Adults":12,"Sum":12}"#, ["Sum"]),
    ("date,Sets,weight_kg,Price €,Walked km\n2026-11-20,3,80,5,7\n", ["weight_kg", "Price €"]),
  ])
  func `columns with words for other numbers than counts are doubtful`(table: String, names: [String]) throws {
    #expect(try read(table).doubts.columns == names)
    #expect(try read(table, names.map { "counts=\($0)" }).doubts.columns == [])
  }

  @Test func `a doubtful column is left out or counted on request, or is a counter that is here`() throws {
    let doubts = try read("Date,Reps,Week,Weight\n2026-11-20,20,47,80\n").doubts
    let reason = doubts.fault(["Week"])?.reason ?? ""
    #expect(reason.hasPrefix("“Weight” may be no counter: "), "\(reason)")
    #expect(reason.hasSuffix("To leave out: --column -=Weight; to count one: --column counts=Weight"), "\(reason)")
    #expect(doubts.fault(["Week", "Weight"]) == nil)
  }

  @Test func `a row that has the sum of those above, and is called so, is refused`() throws {
    let rows = "Dogs,12.5\nCats,3\n"
    for name in ["Total", "Grand total", "SUMME:", "Gesamt"] {
      let found = fault("Name,Count\n\(rows)\(name),15.50\n")
      #expect(found.hasPrefix("4: “\(name)” is the sum of the rows above. Leave it out, or write it first"), "\(found)")
    }
    #expect(fault(rows + "Total,15.5").hasPrefix("3: “Total” is the sum"))
    for taken in ["Total,15.5\n" + rows, rows + "Total,15.6\n", rows + "Tigers,15.5\n", "Total,0\n"] {
      #expect(try lines("Name,Value\n" + taken).count == taken.split(separator: "\n").count)
    }
  }

  @Test func `a row with the unit of formulas needs an expression`() {
    let found = fault("Name,Value,Unit\nDogs,12,formula\nCats,3,pcs\n")
    #expect(found.hasPrefix("2: its unit is “formula”, and it has no name, or no expression"), "\(found)")
  }

  @Test func `a person says what a column means`() throws {
    #expect(try counts("2026-01-01,5\n2026-01-02,6\n", "amount=2") == ["count 11.0"])
    let dogs = [#"{"value":{"name":"Dogs","value":"7","line":2}}"#]
    #expect(try lines("Tier,Wert,Ort\nDogs,7,Rom\n", "name=Tier", "value=Wert", "-=Ort") == dogs)
    #expect(try read("Tier,Wert,Ort\nDogs,7,Rom\n", ["name=Tier", "value=Wert", "-=Ort"]).leftOut == ["Ort"])
    #expect(try lines("\nx,Dogs,7\n", "-=1") == dogs)
    #expect(try lines("Dogs,1682371234\n", "value=2").first?.contains(#""value":"1682371234""#) ?? false)
    #expect(try lines("Dogs,1682371234\n", "time=2").first?.contains(#""time":1682371234000000"#) ?? false)
    #expect(try counts("name,time,total\na,2026-05-01,12\na,2026-05-02,3\n", "amount=total") == ["a 15.0"])
    #expect(
      try counts("Tag,Dogs,Weather\n2026-05-01,12,rain\n", "time=Tag", "counts=Dogs", "-=Weather") == ["Dogs 12.0"])
    #expect(fault("name,value\na,1\n", "name=nmae").hasPrefix("1: there is no column “nmae”"))
    #expect(fault("name,value\na,1\n", "counts=value").contains("no column holds"))
    for text in ["name", "=a", "name=", "sum=a", "record=a"] { #expect(ColumnChoice(argument: text) == nil, "\(text)") }
  }

  // MARK: Formats

  @Test func `an export of BetterCounter has the times of all counts`() throws {
    let table = "Coffee,1682371234567,1682374834567,1682378434567\nSmith, Anna,1682371239567\n0,1682371239567\nNone\n"
    #expect(try counts(table) == ["Coffee 3.0", "Smith-Anna 1.0", "counter-0 1.0"])
    let read = try read(table)
    #expect(read.format == KnownFormat.betterCounter)
    #expect(
      read.entries.first?.description
        == #"{"count":{"name":"Coffee","time":1682371234567000,"amount":"1","line":1}}"#)
    #expect(read.entries.last?.object?["counter"]?.object?["name"] == "None")
    let many = "Coffee" + String(repeating: ",1682371234567", count: 3000)
    #expect(try counts(many) == ["Coffee 3000.0"])
    #expect(try counts(" Coffee ,1682371234567\nRun, 1682371234567\nNone\n") == ["Coffee 1.0", "Run 1.0"])
    // Not the end of a name, and not a time.
    #expect(fault("Coffee,1682371234567,x\n").hasPrefix("1: the table has no header"))
  }

  @Test func `an export of Track & Graph has a count for each value`() throws {
    let table = """
      FeatureName,Timestamp,Value,Label,Note
      Coffee,2021-05-04T14:12:33.117Z,1.0,,
      Coffee,2021-05-04T16:02:01.000+01:00,1.0,black,strong
      Weight,2021-05-04T07:00:00.000Z,82.4,,
      Mood,2021-05-04T07:00:00.000Z,3.0:Good,,
      Run,2021-05-04T07:00:00.000Z,1:10:00,,
      """
    let read = try read(table)
    #expect(read.format == "an export of Track & Graph" && read.leftOut == ["Label", "Note"])
    #expect(try counts(table) == ["Coffee 2.0", "Weight 82.4", "Mood 3.0"])
    let run = read.entries.suffix(2).map(\.description)
    #expect(run.first?.contains(#""kind":"stopwatch""#) ?? false)
    #expect(run.last == #"{"count":{"name":"Run","time":1620111600000000,"amount":"1:10:00","line":6}}"#)
  }

  @Test func `an export of HabitBull has dates in the order that one of them shows`() throws {
    let header = "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"
    let table =
      header
      + "Read,,C1,4/11/2019,1,\nRead,,C1,4/13/2019,1,good\nRead,,C1,4/14/2019,0,\nSkip,,C1,4/14/2019,-2150000000,\n"
      + "Skip,,C1,4/15/2019,-2.15E+09,\n"
    #expect(try read(table).format == "an export of HabitBull")
    #expect(try counts(table) == ["Read 2.0"])
    let times = try read(table).entries.compactMap { $0.object?["count"]?.object?["time"]?.int }
    #expect(times.first.map { $0 + 2 * 86_400_000_000 == times[1] } ?? false)
    let unclear = header + "Read,,C1,4/11/2019,1,\n"
    #expect(fault(unclear).hasPrefix("2: the day and the month in “4/11/2019”"), "\(fault(unclear))")
    #expect(try lines(unclear, "day-first=CalendarDate") != lines(unclear, "month-first=CalendarDate"))
    #expect(try counts(header + "Read,,C1,2019-04-11,1,\n") == ["Read 1.0"])
  }

  @Test func `marks of Loop Habit Tracker count the days done`() throws {
    let table = """
      Date,Meditate,Run,
      2015-01-25,YES_MANUAL,7500,
      2015-01-24,NO,UNKNOWN,
      2015-01-23,YES_AUTO,500,
      2015-01-22,YES_MANUAL,UNKNOWN,
      """
    #expect(try read(table).format == KnownFormat.loop)
    #expect(try counts(table) == ["Meditate 2.0", "Run 8.0"])
    // Earlier versions have numbers, which could be anything.
    let old = "Date,Meditate,Run,\n2015-01-25,2,7500,\n2015-01-24,-1,-1,\n2015-01-23,1,500,\n"
    #expect(fault(old).contains("may be amounts, or marks of Loop Habit Tracker"), "\(fault(old))")
    #expect(try counts(old, "marks=Meditate", "marks=Run") == ["Meditate 1.0", "Run 8.0"])
  }

  @Test func `a table with a column for each counter has counts at the times of its rows`() throws {
    let table = "Date,Adults,Small kids\n2026-05-01,12,5\n2026-05-02,20,\n"
    #expect(try counts(table) == ["Adults 32.0", "Small-kids 5.0"])
    #expect(try read(table).format == KnownFormat.wide)
    #expect(try lines(table)[1].hasSuffix(#""amount":"5","day":"2026-05-01","title":"Small kids","line":2}}"#))
    #expect(try counts(#"{"day":"2026-05-01","Adults":12,"Kids":5}"#) == ["Adults 12.0", "Kids 5.0"])
  }

  @Test func `an export of Counter has values, and the times of their last change`() throws {
    let table = "\"Name\",\"Value\",\"Last Update\"\n\"Dogs\",\"12\",\"20240115T103000+0100\"\n"
    #expect(try lines(table) == [#"{"value":{"name":"Dogs","value":"12","line":2,"time":1705311000000000}}"#])
    #expect(try lines(table, "-=Last Update") == [#"{"value":{"name":"Dogs","value":"12","line":2}}"#])
    #expect(fault(table.replacing("20240115T103000+0100", with: "1/2/2024")).contains("“Last Update” is no clear time"))
  }

  @Test(
    arguments: [
      ("1682371234567", 1_682_371_234_567_000), ("1682371234", 1_682_371_234_000_000),
      ("1682371234.5", 1_682_371_234_500_000), ("1682371234567890", 1_682_371_234_567_890),
      ("1682371234567890123", 1_682_371_234_567_890), ("24.04.2023 21:20Z", nil),
      ("2023-04-24T21:20:34Z", 1_682_371_234_000_000),
    ] as [(String, Int64?)])
  func `times are read as programs write them`(text: String, time: Int64?) throws {
    let found = try read("name,time\na,\(text)\n").entries.first?.object?["count"]?.object?["time"]?.int
    #expect(found == time ?? found && found != nil)
  }

  @Test func `days and times of day may be two columns`() throws {
    #expect(
      try lines("Date,Time,Name\n2026-05-01,14:05,a\n") == lines("when,name\n2026-05-01 14:05,a\n"))
    #expect(fault("Time,Name\n14:05,a\n").hasPrefix("2: “14:05” is not a time"))
    #expect(fault("Name,Time,Count\na,,5\n").hasPrefix("2: it has no time"))
    #expect(fault("Name,Value\n,5\n").hasPrefix("2: it has no name"))
  }

  // MARK: Completeness

  @Test func `a file of which a part is missing is refused`() throws {
    let counter = #"{"counter":{"id":1,"name":"a","value":0}}"#
    let whole = [
      "{\"tallymark\":1}", counter, #"{"event":{"sequence":1}}"#, #"{"event":{"sequence":2}}"#,
      #"{"end":{"entries":4}}"#,
    ]
    func fault(_ lines: [String]) -> String { self.fault(lines.joined(separator: "\n")) }
    #expect(fault(whole).hasPrefix("taken: [") && !fault(whole).contains("end"))
    for count in 1..<whole.count {
      #expect(fault(Array(whole.prefix(count))).contains("its last part is missing"))
    }
    var shorter = whole
    shorter.remove(at: 2)
    #expect(fault(shorter).contains("has 3: a part of it is missing"))
    var longer = whole
    longer.insert(whole[3], at: 3)
    #expect(fault(longer).contains("has 5: something was put into it"))
    #expect(fault(whole + [counter]).contains("follows the entry that ends the file"))
    // Entries that a person writes need no end.
    #expect(fault([counter]).hasPrefix("taken: "))
  }

  @Test func `values of which a part is missing are refused`() throws {
    let rows = ["a,A,1,,,3", "b,B,2,,,3", "c,C,3,,,3"]
    let objects = ["a", "b", "c"].map { #"{"name":"\#($0)","title":"\#($0)","value":1,"entries":3}"# }
    let header = "name,title,value,unit,group,entries"
    let files = [[header] + rows, objects]
    for file in files {
      #expect(fault(file.joined(separator: "\n")).hasPrefix("taken: "))
      let rest = fault(file.dropLast().joined(separator: "\n"))
      #expect(rest.contains("was written with 3 entries, and has 2: a part of it is missing"), "\(rest)")
    }
    #expect(fault(header).contains("without the values"))
    let twice = fault((objects + [objects[0].replacing("\"a\"", with: "\"d\"")]).joined(separator: "\n"))
    #expect(twice.contains("has 4: something was put into it"), "\(twice)")
    #expect(fault(([header] + rows.dropLast() + ["c,C,3,,,4"]).joined(separator: "\n")).contains("from another file"))
    // A person may take out lines, and the number.
    #expect(fault("name,title,value,unit,group\na,A,1,,\n").hasPrefix("taken: "))
  }

  @Test func `a table of tally's brings settings, and that of another program is asked for`() throws {
    let table =
      "name,title,value,unit,group,step,target,tags,locked,entries\nwalk,Walk,90.500000,s,,2.5,120,a b,yes,1\n"
    let counter = try #require(read(table).entries.first?.object?["counter"]?.object)
    let expected: JSONObject = [
      "id": 1, "name": "walk", "title": "Walk", "value": 90_500_000, "start": 0, "step": 2_500_000,
      "target": 120_000_000,
      "tags": "a b", "locked": true, "kind": "stopwatch", "line": 2,
    ]
    #expect(counter == expected)
    #expect(fault(table.replacing(",120,", with: ",far,")).hasPrefix("2: its target “far” is not valid"))
    #expect(fault("name,value,target\na,1,5\n").contains("the meaning of the column “target” is not known"))
  }

  @Test func `what is written is read as whole`() throws {
    var writer = Completeness()
    let entries: [JSONObject] = [["tallymark": 1], ["counter": ["id": 1]], ["bindings": "x"]]
    let lines = entries.map { writer.written($0) } + [writer.end]
    #expect(lines.first == ["tallymark": 1] && lines.last == ["end": ["entries": 3]])
    var reader = Completeness()
    let read = try lines.enumerated().compactMap { try reader.checked(.object($1), line: $0) }
    #expect(read == entries.dropFirst().map(JSON.object))
    try reader.finish(line: 4)
  }

  @Test(arguments: [
    "name,time\na,2026-01-02 10:00\na,2099-01-01 10:00\n",
    "{\"tallymark\":1}\n{\"count\":{\"name\":\"a\",\"time\":4070944800000000,\"amount\":\"1\"}}\n",
  ])
  func `a count in the future is refused with its line`(text: String) {
    let found = fault(text)
    #expect(found.hasPrefix(text.hasPrefix("{") ? "2: 20" : "3: 20"), "\(found)")
    #expect(found.hasSuffix(" is in the future; a count must have a time that has passed"))
  }

  // MARK: Numbers

  @Test(
    arguments: [
      ("7", "7", "7"), ("+3", "3", "3"), ("-3", "-3", "-3"), ("−3", "-3", "-3"), ("1 234", "1234", "1234"),
      ("1\u{202F}234", "1234", "1234"), ("1'234", "1234", "1234"), ("1,234", "1234", "1.234"),
      ("1.234", "1.234", "1234"),
      ("-1,234", "-1234", "-1.234"), ("1,234,567", "1234567", nil), ("1,234.5", "1234.5", nil), ("12,5", nil, "12.5"),
      ("1.25", "1.25", nil), ("0,125", nil, "0.125"), ("0.125", "0.125", nil), ("1,2345", nil, "1.2345"),
      ("1.234,5", nil, "1234.5"), ("1.234.567,89", nil, "1234567.89"), ("1.234.567", nil, "1234567"),
      ("12,34,567", "1234567", nil),
    ] as [(String, String?, String?)])
  func `numbers are read with a decimal point, and with a decimal comma`(text: String, point: String?, comma: String?) {
    #expect(DecimalMark.point.number(text) == point)
    #expect(DecimalMark.comma.number(text) == comma)
  }

  @Test(arguments: [
    "", "-", "+", "many", "1 2", "12 34", "1'23", "1 234,567.5", "1.234 5",
    "1.", ".5", "1.2.3", "1e3", "--1", "+-", "٣", "０", "1/2", "=1+2", "$5", "5 €",
  ])
  func `text that is not a number is refused`(text: String) { #expect(!DecimalMark.isNumber(text)) }

  @Test(arguments: [
    // All numbers of a column have the same mark, and one of them decides.
    ("a;1,234 b;12,5", ["1.234", "12.5"]), ("a;1,234 b;1,234,567", ["1234", "1234567"]),
    ("a;1.234 b;1.5", ["1.234", "1.5"]), ("a;1.234 b;1.234.567", ["1234", "1234567"]),
    ("a;0,125 b;1,234", ["0.125", "1.234"]), ("a;7 b;1234", ["7", "1234"]),
  ])
  func `a column has one decimal mark`(rows: String, values: [String]) throws {
    let table = "name;value\n" + rows.split(separator: " ").joined(separator: "\n")
    #expect(try read(table).entries.map { $0.object?["value"]?.object?["value"]?.string } == values)
  }

  @Test func `a column whose numbers have two readings takes the mark of the others, or is refused`() throws {
    let table = "day;a;b\n2026-05-01;1,234;1,5\n"
    #expect(try counts(table) == ["a 1.234", "b 1.5"])
    let open = "day;a;b\n2026-05-01;7;8\n2026-05-02;1,234;9\n"
    #expect(
      fault(open)
        == "3: “1,234” in the column “a” is 1234 if the point is the decimal mark, and 1.234 if the comma is. "
        + "Say which it is: --decimal-mark point or --decimal-mark comma")
    func value(_ mark: DecimalMark) throws -> String? {
      try Self.read("name;value\na;1,234\n", [], mark).table.entries.first?.object?["value"]?.object?["value"]?
        .string
    }
    #expect(try value(.point) == "1234" && value(.comma) == "1.234")
    #expect(
      fault("name;value\na;1,5\nb;1.5\n")
        == "3: the column “value” has numbers with a decimal point, such as “1.5” on line 3, and with a decimal comma, "
        + "such as “1,5” on line 2. Write all of them with the same mark")
  }

  @Test func `numbers of JSON and of known programs have a decimal point`() throws {
    #expect(try counts(#"{"day":"2026-05-01","a":1.234}"#) == ["a 1.234"])
    let own = "name,title,value,unit,group\na,a,1.234,,\n"
    #expect(try lines(own).contains { $0.contains(#""value":"1.234""#) })
  }

  // MARK: Names

  @Test(arguments: [
    ("people", "people"), ("Kids, small!", "Kids-small"), ("a  b", "a-b"), ("a-", "a"), ("größe", "größe"),
    ("人数", "人数"), ("v1.2_x", "v1.2_x"), ("7", "counter-7"), ("", "counter"), ("🚗", "counter"),
    ("-x", "x"), ("_foo", "foo"), (".bar", "bar"), ("-_.", "counter"), ("Ⅷ", "counter"), ("@home", "home"),
    (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
  ])
  func `a name of another counter becomes one that is taken here`(text: String, name: String) {
    #expect(CounterName.text(like: text) == name)
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
      {"end":{"entries":5}}
      """
    let (table, bindings) = try Self.read(text)
    let lines = table.entries.map(\.description)
    #expect(
      lines == [
        #"{"counter":{"id":1,"name":"litres","value":125,"start":0,"title":"Litres","step":100,"decimals":2,"line":3}}"#,
        #"{"value":{"name":"litres","value":"1.25","title":"Litres","line":3}}"#,
        #"{"counter":{"id":2,"name":"dogs","value":7,"start":0,"title":"dogs","step":1,"line":4}}"#,
        #"{"value":{"name":"dogs","value":"7","line":4}}"#, #"{"event":{"time":1763643900000000,"line":6}}"#,
      ])
    #expect(bindings == "[[bind]]")
  }

  @Test func `a counter as it is shown brings its settings`() throws {
    let shown = #"""
      {"name":"a","title":"A","value":12,"start":2,"step":3,"current":true,"id":7,"kind":"goal","colour":"red","icon":"🐕",\#
      "note":"n","tags":["x","y"],"group":"g","archived":true,"locked":true,"stepDown":1,"minimum":0,"maximum":50,\#
      "target":40,"every":10,"limits":"stop","progress":{"done":10,"left":28},"period":"daily 04:00","began":"2026-05-01T04:00:00Z"}
      """#
    let entries = try read(shown).entries.map(\.description)
    #expect(["1", "2"].contains { entries.first == #"{"group":{"id":\#($0),"name":"g","line":1}}"# })
    let counter = try #require(try JSON(parsing: entries[1]).object?["counter"]?.object)
    let expected: JSONObject = [
      "id": counter["id"] ?? .null, "name": "a", "title": "A", "value": 12, "start": 2, "step": 3, "colour": "red",
      "icon": "🐕", "note": "n", "tags": "x y", "group": counter["group"] ?? .null, "archived": 1, "locked": true,
      "stepDown": 1, "minimum": 0, "maximum": 50, "target": 40, "every": 10, "limits": "stop", "period": "daily 04:00",
      "current": true, "line": 1,
    ]
    #expect(counter == expected)
  }

  @Test(arguments: [
    #"{"name":"Cats","title":"Cats","value":3.5,"step":1}"#, #"{"name":"Cats"}"#, #"{"Cats":3}"#, "{}", "[3]",
  ])
  func `a line of values that is none is refused with its number`(line: String) {
    let found = fault(#"{"name":"Dogs","title":"Dogs","value":12,"step":1}"# + "\n\n" + line)
    #expect(found.hasPrefix("3: it is no entry of an export, and no counter with a “name”"), "\(found)")
  }

  @Test func `lines with names, titles and values alone are a table, whose values may have decimals`() throws {
    let text = #"{"name":"Dogs","title":"Dogs","value":12}"# + "\n" + #"{"name":"Cats","title":"Cats","value":3.5}"#
    #expect(try lines(text).last?.contains(#""value":"3.5""#) ?? false)
    #expect(fault(#"{"Dogs":12}"#).hasPrefix("1: the meaning of the column “Dogs” is not known"))
    #expect(fault(#"{"counter":"Dogs"}"#).hasPrefix("1: no column holds values"))
  }

  @Test func `a line that is no JSON is refused with its number`() {
    #expect(fault("{\"tallymark\":1}\n\n{\"a\":}\n").hasPrefix("3: it is not JSON ("))
    #expect(fault("{\"tallymark\":1}\n{\"event\":{\"time\":\"soon\"}}\n").hasPrefix("2: "))
  }
}
