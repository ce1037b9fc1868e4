import Foundation
import Linux
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

  @Test func `that end are told from devices that do not`() throws {
    let fifo = temporary.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(FileContent.isStreamThatEnds(fifo))
    // The main side of a new terminal is one as well.
    for path in ["/dev/ptmx", "/dev/null"] { #expect(FileContent.isStreamThatEnds(path)) }
    for path in ["/dev/zero", "/nowhere", "/etc/hostname"] { #expect(!FileContent.isStreamThatEnds(path)) }
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

  @Test func `are written into the folder that was opened, whatever takes its place`() throws {
    for folder in ["theirs", "victim"] {
      try FileManager.default.createDirectory(atPath: temporary.path(folder), withIntermediateDirectories: true)
    }
    let file = try FileReplacement(of: temporary.path("theirs/file"))
    try file.append([1])
    try FileManager.default.moveItem(atPath: temporary.path("theirs"), toPath: temporary.path("moved"))
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path("theirs"), withDestinationPath: temporary.path("victim"))
    try file.finish()
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path("victim")) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path("moved")) == ["file"])
  }

  @Test func `are created with their folders, through links and steps up`() throws {
    try FileManager.default.createDirectory(atPath: temporary.path("real"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: temporary.path("link"), withDestinationPath: "./real")
    try FileContent.replace(temporary.path("link/new/../new/file"), with: [7])
    #expect(try Data(contentsOf: URL(fileURLWithPath: temporary.path("real/new/file"))) == Data([7]))
    try FileManager.default.createSymbolicLink(atPath: temporary.path("ring"), withDestinationPath: "ring")
    let error = #expect(throws: SystemError.self) { try FileContent.replace(temporary.path("ring"), with: [1]) }
    #expect(error?.code == ELOOP)
  }

  @Test func `are no devices, which are written as they are`() throws {
    try FileContent.replace("/dev/null", with: [1])
    var status = stat()
    #expect(lstat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    let fifo = temporary.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    let reader = FileDescriptor(owning: open(fifo, O_RDONLY | O_NONBLOCK))
    try FileContent.replace(fifo, with: [5])
    var byte: UInt8 = 0
    #expect(read(reader.number, &byte, 1) == 1 && byte == 5)
  }
}
