import Foundation
import Platform
import TestKit
import Testing

@Suite struct `Whole files` {
  private let temporary = TemporaryFolder()

  @Test func `are not read where reading could block for ever`() throws {
    let fifo = temporary.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    for path in [fifo, "/dev/zero"] {
      let error = #expect(throws: SystemError.self) { try FileContent.read(path, upTo: 100) }
      #expect(error?.description == "could not read \(path), which is a pipe, a socket or a device: Invalid argument")
    }
    #expect(try FileContent.read("/proc/self/stat", upTo: 1000).count > 10)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can be led astray"), arguments: ["link", "folder/victim"])
  func `are not replaced through a link of another user`(_ name: String) throws {
    let victim = try temporary.write("untouched", to: "victim")
    try FileManager.default.createSymbolicLink(atPath: temporary.path("link"), withDestinationPath: victim)
    try FileManager.default.createSymbolicLink(atPath: temporary.path("folder"), withDestinationPath: temporary.path)
    for link in ["link", "folder"] { #expect(lchown(temporary.path(link), 65534, 65534) == 0) }
    #expect(throws: SystemError.self) { try FileContent.replace(temporary.path(name), with: [1]) }
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "untouched")
    // Root's own links are followed.
    for link in ["link", "folder"] { #expect(lchown(temporary.path(link), 0, 0) == 0) }
    try FileContent.replace(temporary.path(name), with: [1])
    #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data([1]))
  }
}
