import Testing

@Suite struct GoldenTests {
  @Test func `everything in the golden files is recognised as it is written there`() throws {
    let files = try GoldenFile.all()
    #expect(files.count > 10)
    for file in files {
      let given = try file.run()
      #expect(given == file.expected, "\(file.name) gave \(given.joined(separator: " | "))")
    }
  }
}
