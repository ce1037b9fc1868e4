import Testing

@Suite struct GoldenTests {
  @Test(arguments: GoldenFile.all) func `everything in a golden file is recognised as it is written there`(
    file: GoldenFile
  ) throws {
    #expect(try file.run() == file.expected)
  }

  @Test func `there are golden files`() { #expect(GoldenFile.all.count > 60) }
}
