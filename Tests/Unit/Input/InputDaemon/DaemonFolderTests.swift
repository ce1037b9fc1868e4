import InputDaemon
import TestKit
import Testing

/// Where gestures wait for the core, and where the relay listens.
@Suite
struct DaemonFolderTests {
  private func folder(
    user: UInt32 = 4_000_000, _ environment: [String: String] = [:], owned: Set<String> = []
  ) -> DaemonFolder {
    DaemonFolder(user: user, environment: { environment[$0] }, isOwned: owned.contains)
  }

  @Test func `a service and a session have a folder each`() {
    let both = ["RUNTIME_DIRECTORY": "/run/a", "XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(folder(both).own == "/run/a")
    #expect(folder(["XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/home/anna"]).own == "/run/user/7/tallymark")
  }

  @Test func `a process outside of the session uses the session's folder`() {
    #expect(folder(user: 7, ["HOME": "/home/anna"], owned: ["/run/user/7"]).own == "/run/user/7/tallymark")
    #expect(folder(user: 7, ["HOME": "/home/anna"], owned: []).own == "/home/anna/.local/state/tallymark")
  }

  @Test func `without a session there is a folder for root, and for everyone with a home`() {
    #expect(folder(user: 0).own == "/run/tallymark-root")
    #expect(folder(["XDG_STATE_HOME": "/srv/state", "HOME": "/home/anna"]).own == "/srv/state/tallymark")
    #expect(folder(["HOME": "/home/anna"]).own == "/home/anna/.local/state/tallymark")
    #expect(folder().own == nil)
  }

  @Test func `a tool looks wherever a daemon may be`() {
    for user: UInt32 in [0, 7] {
      for environment in [[:], ["HOME": "/home/anna"], ["XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/home/anna"]] {
        for owned in [[], ["/run/user/\(user)"]] as [Set<String>] {
          let daemon = folder(user: user, environment, owned: owned)
          #expect(daemon.own.map(daemon.all.contains) ?? true)
        }
      }
    }
    #expect(folder(user: 0, ["SUDO_UID": "7"]).all.contains("/run/user/7/tallymark"))
    #expect(!folder(user: 7, ["SUDO_UID": "8"]).all.contains("/run/user/8/tallymark"))
    #expect(folder(user: 0, ["SUDO_UID": "../x"]).all.allSatisfy { !$0.hasPrefix("/run/user/..") })
    let all = folder(user: 0, ["XDG_RUNTIME_DIR": "/run/user/0", "SUDO_UID": "0"]).all
    #expect(Set(all).count == all.count)
  }

  @Test func `missing folders are created for their user alone`() throws {
    let temporary = TemporaryFolder()
    let path = "\(temporary.path)/home/.local/state/tallymark"
    try DaemonFolder.make(path)
    try DaemonFolder.make(path)
    #expect(DaemonFolder.isOwned(path))
    let spool = Spool.place(in: path, producer: "tally-inputd", core: "/s")
    #expect(spool != Spool.place(in: path, producer: "tally-inputd", core: "/t"))
    #expect(throws: Never.self) { try Spool(path: spool).load() }
  }
}
