import Testing

@testable import Linux

@Suite struct MountViewTests {
  private let mounts = """
    22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro
    36 22 0:31 /deep /var/lib/with\\040space rw,nosuid shared:5 master:3 - tmpfs none rw
    41 22 253:0 / /var/lib/tallymark ro,nosuid - ext4 /dev/dm-0 rw,quota
    42 22 253:1 / /var/lib/other ro - ext4 /dev/dm-1 ro
    43 22 253:2 / /broken ro - ext4

    """

  @Test(
    "A mount that is read-only on a file system that is not is outdated",
    arguments: [
      ("22", (false, false, false)), ("36", (false, false, false)), ("41", (true, false, true)),
      ("42", (true, true, false)),
    ] as [(Substring, (Bool, Bool, Bool))])
  func flags(identifier: Substring, expected: (Bool, Bool, Bool)) throws {
    let view = try #require(MountView(of: identifier, in: mounts))
    #expect((view.isReadOnly, view.fileSystemIsReadOnly, view.isOutdated) == expected)
  }

  @Test("Of a mount that is not told of, or not wholly, nothing is said", arguments: ["43", "4", "44", ""])
  func unknown(identifier: Substring) { #expect(MountView(of: identifier, in: mounts) == nil) }

  @Test("The mount of a folder is found, and a folder that is not there has none")
  func here() throws {
    #expect(try !#require(MountView(of: "/proc/self")).isOutdated)
    #expect(MountView(of: "/nowhere") == nil)
  }
}
