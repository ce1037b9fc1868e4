import ArgumentParser
import Counting
import Reports
import Testing

@testable import TallyCommand

@Suite struct `Numbers of a person's locale` {
  private static let english: ValueText.Marks = (",", ".", [3])
  private static let german: ValueText.Marks = (".", ",", [3])
  private static let french: ValueText.Marks = ("\u{202F}", ",", [3])
  private static let plain: ValueText.Marks = ("", ".", [])

  @Test func `are read as they are shown`() throws {
    #expect(try NumberText.canonical("1,5", in: Self.german) == "1.5")
    #expect(try NumberText.canonical("-12.345,67", in: Self.german) == "-12345.67")
    #expect(try NumberText.canonical("12\u{202F}345,5", in: Self.french) == "12345.5")
    #expect(try NumberText.canonical("1,234.5", in: Self.english) == "1234.5")
    #expect(try NumberText.canonical("1,000", in: Self.english) == "1000")
    #expect(try NumberText.canonical("1,234", in: Self.german) == "1.234")
  }

  @Test func `may have a decimal point in any locale`() throws {
    for locale in [Self.english, Self.german, Self.french, Self.plain] {
      for text in ["3", "-3", "1.5", "0.25", "1:30", "many"] {
        #expect(try NumberText.canonical(text, in: locale) == text)
      }
    }
  }

  @Test func `may have the sign that is shown`() throws {
    for locale in [Self.english, Self.german, Self.french, Self.plain] {
      #expect(try NumberText.canonical("−5", in: locale) == "-5")
    }
    #expect(try NumberText.canonical("−1.234,5", in: Self.german) == "-1234.5")
  }

  @Test func `that may be a thousand are refused without decimals`() {
    for text in ["1.000", "-10.000", "999.000"] {
      #expect(throws: ValidationError.self) { try NumberText.refuseThousand(text) }
    }
    for text in ["0.000", "1.00", "1.500", "1000", "1000.000", "1.000.000"] {
      #expect(throws: Never.self) { try NumberText.refuseThousand(text) }
    }
  }

  @Test func `of a time have the comma of the locale`() throws {
    for locale in [Self.german, Self.french] {
      #expect(try NumberText.canonical("1:02,5", in: locale) == "1:02.5")
      #expect(try NumberText.canonical("1,5s", in: locale) == "0:00:01.5")
      #expect(try NumberText.canonical("1m1,5s", in: locale) == "0:01:01.5")
      #expect(ValueText(unit: .time).text(62_500_000, as: locale) == "1:02,50")
    }
    for locale in [Self.english, Self.plain] {
      #expect(try NumberText.canonical("1:02.5", in: locale) == "1:02.5")
      #expect(try NumberText.canonical("1.5s", in: locale) == "0:00:01.5")
      #expect(ValueText(unit: .time).text(-62_500_000, as: locale) == "−1:02.50")
    }
    #expect(try NumberText.canonical("1:02,5", in: Self.plain) != "1:02.5")
  }

  @Test(arguments: [
    "10000000000000.5", "12345678901234.25", "92233720368547758.07", "9223372036854775807", "9223372036.854775807",
    "1:30",
  ])
  func `are taken as large as some counter has them`(_ text: String) throws {
    #expect(try AmountArguments.valid(text) == text)
  }

  @Test func `are refused where a separator has two meanings, or the wrong one`() {
    let twofold = #expect(throws: ValidationError.self) { try NumberText.canonical("1.000", in: Self.german) }
    #expect(twofold?.message == "“1.000” can be read in two ways. Write 1000 without separators.")
    for locale in [Self.german, Self.french, Self.plain] {
      let thousand = #expect(throws: ValidationError.self) { try NumberText.canonical("-1,000", in: locale) }
      #expect(thousand?.message == "“-1,000” can be read in two ways. Write -1000 or -1.")
    }
    let grouped = #expect(throws: ValidationError.self) { try NumberText.canonical("1,234", in: Self.plain) }
    #expect(
      grouped?.message == "“1,234” can be read in two ways. Write 1234, or 1.234 with a decimal point.")
    for locale in [Self.english, Self.plain] {
      let comma = #expect(throws: ValidationError.self) { try NumberText.canonical("1,5", in: locale) }
      #expect(comma?.message == "“1,5” is not a valid amount. Write 1.5 with a decimal point.")
    }
  }
}
