import Counting
import Testing

@testable import Reports

@Suite struct ValueTextTests {
  private static let point = ValueText.locale.point

  @Test(
    arguments: [
      (Unit.things, 0, false, "0"), (.things, 42, false, "42"), (.things, -42, false, "−42"),
      (.things, 42, true, "+42"),
      (.things, -42, true, "−42"), (.things, 0, true, "0"), (.decimal(2), 125, false, "1.25"),
      (.decimal(2), -5, false, "−0.05"), (.time, 90_000_000, false, "1:30.00"), (.time, -1_500_000, false, "−0:01.50"),
    ] as [(Unit, Int64, Bool, String)])
  func `a number has its decimals and a minus as typographers have it`(
    unit: Unit, number: Int64, isSigned: Bool, text: String
  ) {
    let expected = unit == .time ? text : text.replacing(".", with: Self.point)
    #expect(ValueText(unit: unit).text(number, signed: isSigned) == expected)
  }

  @Test func `the ends of 64 bits are numbers`() {
    let digits = ValueText.grouped("9223372036854775808")
    #expect(ValueText().text(.min) == "−\(digits)")
    #expect(ValueText().plain(.min) == "-9223372036854775808")
  }

  @Test(arguments: [
    ("1", "1"), ("123", "123"), ("1234", "1.234"), ("123456", "123.456"), ("1234567", "1.234.567"), ("", ""),
  ])
  func `digits are grouped by three`(digits: String, grouped: String) {
    #expect(ValueText.grouped(digits, as: (group: ".", point: ",", sizes: [3])) == grouped)
  }

  @Test func `groups have the sizes of the locale, the last one for all in front of it`() {
    #expect(ValueText.grouped("123456789", as: (group: ",", point: ".", sizes: [3, 2])) == "12,34,56,789")
    #expect(ValueText.grouped("123456789", as: (group: "", point: ".", sizes: [3])) == "123456789")
    #expect(ValueText.grouped("123456789", as: (group: ",", point: ".", sizes: [])) == "123456789")
  }

  @Test(arguments: [
    ("12.5", "12.5"), ("-12.5", "−12.5"), ("33.3 %", "33.3 %"), ("-7", "−7"), ("1:02:03", "1:02:03"),
    ("no value", "no value"), ("1.2.3", "1.2.3"), ("", ""),
  ])
  func `a number of the core is written as the locale does it, any other text as it is`(text: String, expected: String)
  {
    let isNumber = text != "1.2.3"
    #expect(ValueText.localised(text) == (isNumber ? expected.replacing(".", with: Self.point) : expected))
  }

  @Test(
    arguments: [
      (0, "0 s"), (-5, "0 s"), (59_999_999, "59 s"), (60_000_000, "1 min"), (61_000_000, "1 min 1 s"),
      (599_000_000, "9 min 59 s"), (601_000_000, "10 min"), (3_599_000_000, "59 min"), (3_600_000_000, "1 h"),
      (11_520_000_000, "3 h 12 min"), (172_799_000_000, "47 h 59 min"), (172_800_000_000, "2 days"),
    ] as [(Int64, String)])
  func `a time is said as people say it`(microseconds: Int64, words: String) {
    #expect(ValueText.spoken(microseconds) == words)
  }
}
