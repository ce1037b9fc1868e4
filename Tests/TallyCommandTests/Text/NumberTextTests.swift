import ArgumentParser
import Plots
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
