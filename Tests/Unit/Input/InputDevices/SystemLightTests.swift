import Foundation
import InputDevices
import TestKit
import Testing

/// A light in a folder that looks like the kernel's.
struct SystemLightTests {
  private let temporary = TemporaryFolder()
  private var folder: String { temporary.path }

  private func make(_ files: [String: String], _ name: String = "a::b") throws {
    try FileManager.default.createDirectory(atPath: temporary.path(name), withIntermediateDirectories: true)
    for (file, text) in files { try temporary.write(text, to: "\(name)/\(file)") }
  }

  private func read(_ file: String) throws -> String {
    try String(contentsOfFile: temporary.path("a::b/\(file)"), encoding: .utf8)
  }

  @Test func `with the pattern trigger the kernel plays the rhythm by itself`() throws {
    try make([
      "trigger": "none oneshot pattern [kbd-capslock]\n", "brightness": "0\n", "max_brightness": "255\n",
      "pattern": "", "repeat": "",
    ])
    var light: SystemLight? = try SystemLight(name: "a::b", in: folder)
    #expect(light?.trigger == .pattern)
    #expect(try read("trigger").hasPrefix("pattern"))
    try light?.blink([60, 100, 60])
    #expect(try read("pattern") == "255 60 255 0 0 100 0 0 255 60 255 0 0 20 0 0")
    #expect(try read("repeat") == "1")
    light = nil
    #expect(try read("trigger").hasPrefix("kbd-capslock"))
  }

  @Test func `with oneshot it flashes`() throws {
    try make([
      "trigger": "[none] oneshot", "brightness": "0", "max_brightness": "1", "delay_on": "", "delay_off": "",
      "shot": "",
    ])
    let light = try SystemLight(name: "a::b", in: folder)
    #expect(light.trigger == .oneshot)
    try light.flash(milliseconds: 60)
    #expect(try (read("delay_on"), read("delay_off")) == ("60", "10"))
    #expect(try read("shot") == "1")
  }

  @Test func `without triggers it is switched, and left as it was`() throws {
    try make(["trigger": "[none] timer", "brightness": "3", "max_brightness": "7"])
    var light: SystemLight? = try SystemLight(name: "a::b", in: folder)
    #expect(light?.trigger == SystemLight.Trigger.none)
    try light?.set(on: true)
    #expect(try read("brightness") == "7")
    try light?.set(on: false)
    #expect(try read("brightness") == "0")
    light = nil
    #expect(try read("brightness") == "3")
  }

  @Test func `a light that is not there is gone`() {
    #expect(throws: DeviceError.gone) { try SystemLight(name: "a::b", in: folder) }
    #expect(SystemLight.names(in: folder) == [])
  }

  @Test func `lights are listed by name`() throws {
    for name in ["z", "a::b"] { try make([:], name) }
    #expect(SystemLight.names(in: folder) == ["a::b", "z"])
  }
}
