import Foundation
import Platform
import TestKit
import Testing

@Suite struct `The doctor` {
  @Test func `says what it has found before it has asked a core that does not answer`() throws {
    let scene = try Scene(withCore: false)
    try UnixSocket.makeFolder(of: scene.socket)
    let listener = try UnixSocket.listen(at: scene.socket, mode: 0o600)
    let doctor = try Program.start("tally", ["doctor"], scene.environment)
    defer { doctor.process.terminate() }
    var found = pollfd(fd: doctor.output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&found, 1, Int32(Wait.longest / 1_000_000)) == 1)
    let words = String(decoding: doctor.output.fileHandleForReading.availableData, as: UTF8.self)
    #expect(words.contains("  services  "))
    withExtendedLifetime(listener) {}
  }
}
