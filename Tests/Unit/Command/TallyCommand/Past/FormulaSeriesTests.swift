import Reports
import Testing

@testable import TallyCommand

@Suite struct FormulaSeriesTests {
  @Test(arguments: [
    ("0.375", "percent", 375, "37.5 %"), ("-0.0005", "percent", -1, "−0.1 %"), ("12", "number", 12_000, "12.000"),
    ("0.333333333333", "number", 333, "0.333"), ("0.6665", "number", 667, "0.667"),
    ("90", "duration", 90_000_000, "1:30.00"),
    ("9223372036854775.8075", "number", nil, ""), ("1e3", "number", nil, ""), ("", "number", nil, ""),
    ("99999999999999999999999", "number", nil, ""),
  ])
  func `a value is a whole number of the unit in which it is drawn`(
    _ value: String, _ display: String, _ units: Int64?, _ text: String
  ) {
    #expect(FormulaSeries.units(value, display) == units)
    if let units { #expect(FormulaSeries.format(display).text(units) == text) }
  }
}
