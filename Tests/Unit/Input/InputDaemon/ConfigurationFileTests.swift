import InputDaemon
import InputKit
import Linux
import Tallymark
import TestKit
import Testing
import Toml

struct ConfigurationFileTests {
  private func complaints(_ text: String) -> String {
    do {
      _ = try ConfigurationFile.parse(text, file: "input.toml")
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("KEY_PGDOWN", "KEY_PAGEDOWN"), ("pgup", "KEY_PAGEUP"), ("KEY_ESCAPE", "KEY_ESC"), ("RETURN", "KEY_ENTER"),
    ("KEY_CTRL", "KEY_LEFTCTRL"), ("pagedown", "KEY_PAGEDOWN"), ("left", "KEY_LEFT"), ("KEY_PAGEDWON", "KEY_PAGEDOWN"),
  ])
  func `a key under another system's name is suggested under the kernel's`(name: String, kernel: String) {
    #expect(complaints(bind("press", "key = '\(name)'")).contains("did you mean \"\(kernel)\"?"))
  }

  @Test func `the defaults that stay in force are listed beside what a file binds`() throws {
    func summary(_ text: String) throws -> [Substring] {
      ConfigurationSummary.text(try ConfigurationFile.parse(text, file: "input.toml")).split(separator: "\n")
    }
    let all = try summary("")
    #expect(all.contains("devices without bindings of their own: tap → add (default)"))
    #expect(all.contains("devices without bindings of their own: swipe-down → subtract (default)"))
    #expect(all.contains("devices without bindings of their own: press → add (default)"))
    #expect(all.contains("known presenters: press of KEY_PAGEUP, KEY_LEFT → subtract (default)"))
    let tap = try summary(bind("tap", does: "add people"))
    #expect(tap.contains("any device: tap → add people"))
    #expect(!tap.contains { $0.hasSuffix("tap → add (default)") })
    #expect(tap.contains { $0.hasSuffix("swipe-down → subtract (default)") })
    let zone = try summary(bind("tap", "zone = 'left'"))
    #expect(zone.contains { $0.hasSuffix("tap → add (default)") })
    let touch = try summary(bind("touch"))
    #expect(!touch.contains { $0.hasSuffix("tap → add (default)") })
  }

  @Test func `a folder that does not exist is not made for a file that an option names`() throws {
    let folder = TemporaryFolder()
    #expect(throws: UsageError("There is no folder \(folder.path)/nowhere; create it, or name another file.")) {
      try ConfigurationFile.placeToWrite(option: "\(folder.path)/nowhere/x.toml")
    }
    #expect(FolderContent.names(in: folder.path).isEmpty)
    let file = "\(folder.path)/x.toml"
    #expect(try ConfigurationFile.placeToWrite(option: file) == file)
    #expect(try ConfigurationFile.placeToWrite(option: "x.toml") == "x.toml")
  }
}
