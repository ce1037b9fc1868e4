import Board
import Testing

@Suite struct HostNamesTests {
  private let names = HostNames(machine: "Kiosk", others: ["counts.example.org"])

  @Test(
    arguments: [
      "localhost", "LOCALHOST:8464", "kiosk", "kiosk.local", "Kiosk.LOCAL:80", "counts.example.org", "localhost.",
      "127.0.0.1", "192.168.1.20:8464", "[::1]", "[fe80::1]:8464", "[::ffff:10.0.0.1]",
    ])
  func `addresses and the board's own names are allowed, with any port`(host: String) { #expect(names.allow(host)) }

  @Test(
    arguments: [
      "", " ", "evil.example", "localhost.evil.example", "kiosk.evil", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4a",
      "localhost:port", "localhost:70000", "[::1", "[]", "[evil]:80", "[::1]evil", "a b", "localhost\u{0}",
      "kiosk@evil",
      String(repeating: "a", count: 300), "0x7f.1", "２.1.1.1", ".local", ".",
    ])
  func `other names are not, nor anything that is no host`(host: String) { #expect(!names.allow(host)) }

  @Test func `a machine without a name allows no empty one`() {
    let names = HostNames(machine: "")
    #expect(!names.allow(".local"))
    #expect(!names.allow("."))
    #expect(names.allow("localhost"))
  }
}
