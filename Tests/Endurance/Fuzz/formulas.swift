// Formulas as a person may write them. The input is the text of one.
import Counting

/// Values near the ends of their range. All other names have none.
private struct FixedValues: EvaluationContext {
  func value(of name: String) -> Rational? {
    ["a": Rational(Int64.max), "b": Rational(Int64.min, decimals: 9), "c": .zero, "d": Rational(7, decimals: 2)][name]
  }
  func part(_ part: Expression.Part, of name: String) -> Rational? { value(of: name) }
  func values(ofGroup name: String) -> [Rational]? { ["a", "b", "c", "d"].compactMap(value) }
}

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  do throws(FormulaError) {
    let formula = try FormulaText(text)
    let value = formula.expression.value(FixedValues())
    for display in Display.allCases { _ = value.map(display.text) }
    for (kind, reference) in formula.expression.references {
      let renamed = formula.renaming([reference.name: "other.name"], isGroup: kind == .group)
      // Longer names may make it longer than a formula may be.
      guard renamed.unicodeScalars.count <= FormulaText.longest else { continue }
      demand((try? FormulaText(renamed)) != nil, "a formula is one under other names, too")
    }
  } catch {
    demand(0...text.unicodeScalars.count ~= error.position && !error.message.isEmpty, "a refusal says where and why")
  }
  return 0
}
