import Board
import Testing

@Suite struct PairedDevicesTests {
  private let minute: Int64 = 60_000_000

  private func offered(_ codes: String...) -> PairedDevices {
    var devices = PairedDevices()
    for code in codes { devices.offer(proof: code, now: 0) }
    return devices
  }

  private func pair(_ devices: inout PairedDevices, _ code: String, name: String = "Anna", now: Int64 = 1)
    -> Result<PairedDevices.Device, PairedDevices.Refusal>
  {
    Result { () throws(PairedDevices.Refusal) in
      try devices.pair(code: code, id: "id-\(code)", proof: "key-\(code)", name: name, now: now)
    }
  }

  @Test func `a code pairs one device, once, and within five minutes`() throws {
    var devices = offered("a", "b")
    let device = try pair(&devices, "a").get()
    #expect(devices.device(device.id, proof: "key-a") == device)
    #expect(devices.device(device.id, proof: "key-b") == nil)
    #expect(devices.device("other", proof: "key-a") == nil)
    #expect(pair(&devices, "a") == .failure(.unknownCode))
    #expect(pair(&devices, "") == .failure(.unknownCode))
    #expect(pair(&devices, "b", now: 5 * minute) == .failure(.unknownCode))
  }

  @Test func `five wrong codes a minute are answered, and a clock that is set back allows them again`() {
    var devices = offered("a")
    for _ in 0..<5 { #expect(pair(&devices, "guess") == .failure(.unknownCode)) }
    #expect(pair(&devices, "guess") == .failure(.tooManyTries))
    #expect(pair(&devices, "guess", now: -minute) == .failure(.unknownCode))
    for _ in 0..<4 { _ = pair(&devices, "guess", now: -minute) }
    #expect(pair(&devices, "guess", now: -minute) == .failure(.tooManyTries))
    #expect(pair(&devices, "guess", now: 2) == .failure(.unknownCode))
  }

  @Test func `a stranger's tries do not stop a right code`() {
    var devices = offered("a")
    for _ in 0..<20 { _ = pair(&devices, "guess") }
    #expect((try? pair(&devices, "a").get()) != nil)
    #expect(pair(&devices, "a") == .failure(.tooManyTries))
  }

  @Test func `a name is short text without marks that change how a line reads`() {
    for name in ["", "  ", "a\u{1b}[2J", "\u{202e}a", "a\u{0}", String(repeating: "x", count: 65)] {
      var devices = offered("a")
      #expect(pair(&devices, "a", name: name) == .failure(.badName), "\(name.debugDescription)")
      // The code is still good.
      #expect((try? pair(&devices, "a").get()) != nil)
    }
    var devices = offered("a")
    #expect((try? pair(&devices, "a", name: " Anna’s \n phone 📱 ").get())?.name == "Anna’s phone 📱")
  }

  @Test func `a revoked device is none any more`() throws {
    var devices = offered("a")
    let device = try pair(&devices, "a").get()
    let answers = [devices.revoke(device.id), devices.revoke(device.id)]
    #expect(answers == [true, false])
    #expect(devices.device(device.id, proof: "key-a") == nil)
  }

  @Test func `devices and codes are bounded`() {
    var devices = PairedDevices()
    for number in 0..<100 {
      devices.offer(proof: "\(number)", now: Int64(number) * minute)
      #expect((try? pair(&devices, "\(number)", now: Int64(number) * minute).get()) != nil)
    }
    devices.offer(proof: "x", now: 1000 * minute)
    #expect(pair(&devices, "x", now: 1000 * minute) == .failure(.tooManyDevices))
    devices = PairedDevices()
    for number in 0..<11 { devices.offer(proof: "\(number)", now: 0) }
    #expect(pair(&devices, "0") == .failure(.unknownCode))
    #expect((try? pair(&devices, "10").get()) != nil)
  }

  @Test func `what is written is read again, and nothing else`() throws {
    var devices = offered("a", "b")
    _ = try pair(&devices, "a", name: "Anna \"x\"").get()
    devices.offer(proof: "c", isForSetup: true, now: 0)
    _ = try pair(&devices, "c", name: "Bea").get()
    #expect(devices.devices.map(\.maySetUp) == [false, true])
    let read = try #require(PairedDevices(text: devices.text))
    #expect(read.devices == devices.devices)
    for text in [
      "", "[]", "{}", #"{"devices":3}"#, #"{"devices":[{}]}"#, #"{"devices":[3]}"#, #"{"devices":[{"id":1}]}"#,
    ] {
      #expect(PairedDevices(text: text) == nil, "\(text)")
    }
  }
}

@Suite struct DeviceCookieTests {
  @Test func `each board of a host has a cookie of its own`() {
    let cookies = ["tallymark=a.0; tallymark-8464=b.1", "tallymark-80=c.2"]
    #expect(DeviceCookie(cookies, host: "kiosk:8464")?.id == "b")
    #expect(DeviceCookie(cookies, host: "kiosk")?.id == "a")
    #expect(DeviceCookie(cookies, host: "[::1]")?.id == "a")
    #expect(DeviceCookie(cookies, host: "[::1]:80")?.id == "c")
    #expect(DeviceCookie(cookies, host: "kiosk:8465") == nil)
  }

  @Test func `the cookie is found among others`() {
    #expect(DeviceCookie(["a=b; tallymark-8464=id.key; c=d"], host: "kiosk:8464")?.id == "id")
    #expect(DeviceCookie(["a=b", "tallymark-8464=id.key"], host: "kiosk:8464")?.key == "key")
    #expect(DeviceCookie(["tallymark-8464="], host: "kiosk:8464") == nil)
    #expect(DeviceCookie(["tallymark-8464=id"], host: "kiosk:8464") == nil)
    #expect(DeviceCookie(["tallymark-8464=a.b.c"], host: "kiosk:8464") == nil)
    #expect(DeviceCookie(["xtallymark-8464=id.key"], host: "kiosk:8464") == nil)
    #expect(DeviceCookie([], host: "kiosk:8464") == nil)
  }
}
