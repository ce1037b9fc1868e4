import Tallymark
import TestKit
import Testing

struct InstallationTests {
  @Test(arguments: [
    ("/home/bob/tallymark/.build/x86_64-unknown-linux-gnu/release/tally", Installation.checkout("/home/bob/tallymark")),
    ("/usr/bin/tally", .package), ("/usr/local/bin/tally", .made), ("", .made),
  ])
  func `where a program lies says how it came there`(path: String, installation: Installation) {
    #expect(Installation(program: path) == installation)
  }

  @Test func `whoever has a checkout is told where it is, and whoever has none is not told to make`() {
    #expect(
      Installation.checkout("/home/bob/my tally").installRules.command
        == "sudo make -C '/home/bob/my tally' install-udev")
    #expect(Installation.checkout("/src").install.command == "sudo make -C /src install")
    #expect(Installation.package.install.command == "sudo apt install --reinstall ./tallymark_*.deb")
    #expect(Installation.package.installRules == Installation.package.install)
    #expect(Installation.made.install.hint == "where Tallymark was built")
  }

  @Test(arguments: [
    ("/a/b.c_d-1+2", "/a/b.c_d-1+2"), ("/a b", "'/a b'"), ("it's", "'it'\\''s'"), ("", "''"), ("$(id)", "'$(id)'"),
  ])
  func `a path is one word of a shell`(path: String, word: String) throws {
    #expect(Remedy.word(path) == word)
    #expect(try Program.run("/bin/sh", ["-c", "printf %s \(word)"]).output == path)
  }
}

struct DeviceRulesTests {
  @Test(arguments: [Installation.checkout("/src"), .package, .made])
  func `rules that are there are gone by, whichever way they came`(installation: Installation) {
    #expect(DeviceRules.remedy(installation, areThere: true).command == DeviceRules.apply)
    #expect(DeviceRules.remedy(installation, areThere: false) == installation.installRules)
  }

  @Test func `the administrator's data base is made anew only where there is one`() {
    #expect(DeviceRules.compile(administrators: "/nowhere/hwdb.bin") == "sudo systemd-hwdb --usr update")
    #expect(
      DeviceRules.compile(administrators: "/dev/null") == "sudo systemd-hwdb --usr update && sudo systemd-hwdb update")
  }
}
