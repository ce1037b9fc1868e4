import Foundation
import Journal
import Testing

@Suite struct `A journal that is taken away` {
  /// The deletion of either file ends writing at the next commit; what was counted until then can still be asked for.
  @Test(arguments: ["counters.sqlite", "counters.sqlite-wal"], [true, false])
  func `or put in the place of another under a running core ends writing`(_ name: String, _ isReplaced: Bool) throws {
    let core = try TestCore()
    defer { core.stop() }
    let client = try core.client()
    try client.change("Add")
    let path = "\(core.folder)/\(name)"
    if isReplaced { try FileManager.default.copyItem(atPath: path, toPath: "\(path).copy") }
    try FileManager.default.removeItem(atPath: path)
    if isReplaced { try FileManager.default.moveItem(atPath: "\(path).copy", toPath: path) }
    for _ in 0..<2 { #expect(refusal { _ = try client.change("Add") } == "StorageFailed") }
    #expect(try client.value("count") == 1)
  }
}
