import TestKit
import Testing

@testable import TallyCommand

@Suite struct CSVTests {
  private func records(_ text: String) throws -> [[String]] { try CSV.table(text).map(\.fields) }

  @Test(arguments: [
    (["a", "b"], "a,b"), (["", ""], ","), (["a,b"], "\"a,b\""), (["a\"b"], "\"a\"\"b\""), (["\"\""], "\"\"\"\"\"\""),
    (["a\nb"], "\"a\nb\""), (["a\r\nb"], "\"a\r\nb\""), (["a;b", "c\td"], "a;b,c\td"), ([" a "], " a "),
    (["\"\u{0599}"], "\"\"\"\u{0599}\""),
  ])
  func `a field is quoted where it holds a comma, a quote or the end of a line`(fields: [String], line: String) {
    // Scalar by scalar: a mark behind a quote makes another character of it.
    #expect(Array(CSV.line(fields).unicodeScalars) == Array(line.unicodeScalars))
  }

  @Test(arguments: [",", ";", "\t"], ["\n", "\r\n", "\r"])
  func `each separator and each end of a line is read`(separator: String, end: String) throws {
    let text = ["name\(separator)count", "\"a\(separator)b\"\(separator)1", "c\(separator)", ""].joined(separator: end)
    #expect(try records(text) == [["name", "count"], ["a\(separator)b", "1"], ["c", ""]])
    #expect(try records("\u{FEFF}" + text).first == ["name", "count"])
  }

  @Test(arguments: ["\n", "\r\n", "\r"]) func `a first line may say the separator, as for Excel`(end: String) throws {
    for mark in ["", "\u{FEFF}"] {
      let table = try CSV.table("\(mark)sep=;\(end)a,b,c;d\(end)1,5;2\(end)")
      #expect(table.map(\.fields) == [["a,b,c", "d"], ["1,5", "2"]])
      #expect(table.map(\.line) == [2, 3])
    }
    #expect(try records("SEP=\t\na;b\tc") == [["a;b", "c"]])
    #expect(try records("sep=;") == [])
    #expect(try records("sep=x\na;b") == [["sep=x"], ["a;b"]])
    #expect(try records("sep=;count\na;b") == [["sep=", "count"], ["a", "b"]])
  }

  @Test func `the separator is the one that the first line has most of outside of quotes`() throws {
    #expect(try records("a;b;c,d\n1,5;2;3").last == ["1,5", "2", "3"])
    #expect(try records("\"a;b;c\",d\n1,2").last == ["1", "2"])
    #expect(try records("a,b;c\n1,2;3") == [["a", "b;c"], ["1", "2;3"]])
  }

  @Test func `the last line needs no end, empty lines are no records, and empty fields are fields`() throws {
    #expect(try records("a,b\n\n\r\nc,d") == [["a", "b"], ["c", "d"]])
    #expect(try records("a,,\n,") == [["a", "", ""], ["", ""]])
    #expect(try records("a,\"\"") == [["a", ""]])
    #expect(try records("") == [])
    #expect(try records("\n\n") == [])
  }

  @Test(arguments: [
    ("a\n\"b", 2, "a quote is not closed"), ("\"a\"b", 1, "text follows a closing quote"),
    ("a\n\"b\nc\"\n\"d\" e", 4, "text follows a closing quote"),
  ])
  func `malformed CSV is refused with the number of the line`(text: String, line: Int, reason: String) {
    let error = #expect(throws: CSV.SyntaxError.self) { try records(text) }
    #expect(error?.line == line)
    #expect(error?.reason == reason)
  }

  @Test func `a record has at most a million columns`() throws {
    let most = String(repeating: ",", count: CSV.mostFields - 1)
    #expect(try records("a\n" + most).last?.count == CSV.mostFields)
    let error = #expect(throws: CSV.SyntaxError.self) { try records("a\n" + most + ",") }
    #expect(error?.line == 2)
    #expect(error?.reason == "it has more than 1048576 columns")
  }

  @Test func `a quote within a field without quotes is a part of it`() throws {
    #expect(try records("5\" pipe,2") == [["5\" pipe", "2"]])
  }

  @Test(.seeded) func `what is written is read again, whatever it is`() throws {
    var random = Seed.generator()
    let parts: [Unicode.Scalar] = ["a", "\"", ",", ";", "\t", "\n", "\r", "é", "\u{0301}", "犬", " ", "=", "\u{FEFF}"]
    for _ in 0..<Rounds.times(500) {
      // A record of one empty field is an empty line, which is none.
      let records = (0..<random.whole(1...4)).map { _ in
        (0..<random.whole(2...4)).map { _ in
          String(String.UnicodeScalarView((0..<random.below(6)).map { _ in parts[random.below(parts.count)] }))
        }
      }
      // A first line of its own: which separator is meant is read off that.
      let text = ([["x", "y"]] + records).map { CSV.line($0) + "\r\n" }.joined()
      let read = try self.records(text).dropFirst()
      #expect(read.map { $0.map { Array($0.unicodeScalars) } } == records.map { $0.map { Array($0.unicodeScalars) } })
    }
  }

  @Test(arguments: [
    ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("+1+1", "'+1+1"), ("-2+3", "'-2+3"), ("@SUM(A1)", "'@SUM(A1)"),
    ("\t=1", "'\t=1"), ("'=1", "''=1"), ("''-x", "'''-x"), ("=\u{308}1", "'=\u{308}1"), ("-5", "-5"),
    ("-1.75", "-1.75"), ("a=b", "a=b"), ("'tis", "'tis"), ("", ""), ("'", "'"),
  ])
  func `a text that a spreadsheet would run is marked as text, and read back as it was`(
    _ text: String, _ cell: String
  ) throws {
    #expect(Array(CSV.line([text]).unicodeScalars) == Array(cell.unicodeScalars))
    #expect(try records("name\n" + CSV.line([text, "x"])).last == [text, "x"])
  }
}
