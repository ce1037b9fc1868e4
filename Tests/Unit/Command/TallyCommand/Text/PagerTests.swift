import Testing

@testable import TallyCommand

@Suite struct PagerTests {
  @Test func `the own variable comes before the common one, and cat or nothing means none`() {
    #expect(Pager.command(own: "most", common: "more") == "most")
    #expect(Pager.command(own: nil, common: "less -S") == "less -S")
    #expect(Pager.command(own: "", common: "more") == nil)
    #expect(Pager.command(own: nil, common: "cat") == nil)
    #expect(Pager.command(own: nil, common: nil) == (Programs.has("less") ? "less" : nil))
  }
}
