import ArgumentParser
import Glibc
import Platform

/// The mail program of the desktop.
enum Mail {
  /// Begins a mail.
  ///
  /// - Throws: exit code 1 after saying what is missing.
  static func begin(subject: String, _ text: String) throws {
    let ways = [
      ("xdg-email", ["--utf8", "--subject", subject, "--body", text]),
      ("xdg-open", ["mailto:?subject=\(encoded(subject))&body=\(encoded(text))"]),
    ]
    for (program, arguments) in ways where Programs.has(program) {
      do {
        return try ServiceProcess.run(program, arguments)
      } catch {
        Output.complain("\(program) began no mail.")
      }
    }
    Output.complain("There is no mail program: xdg-email and xdg-open (package xdg-utils) find the one of the desktop.")
    throw CoreClient.refused
  }

  /// As RFC 6068 wants a part of a mailto address.
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): result += "%0D%0A"
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: result.unicodeScalars.append(.init(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}

/// The clipboard of the desktop, or of the terminal.
enum Clipboard {
  /// - Throws: exit code 1 after saying what is missing.
  static func put(_ text: String) throws {
    let ways = [
      ("WAYLAND_DISPLAY", "wl-copy", [String]()), ("DISPLAY", "xclip", ["-selection", "clipboard"]),
      ("DISPLAY", "xsel", ["--clipboard", "--input"]),
    ]
    for (display, program, arguments) in ways
    where ServiceProcess.environment(display) != nil && Programs.has(program) {
      if Programs.feed(text, to: program, arguments) { return Output.line("Copied with \(program).") }
      Output.complain("\(program) did not take it.")
    }
    guard Terminal.canMove else {
      Output.complain("There is no clipboard: on a desktop install wl-clipboard, xclip or xsel.")
      throw CoreClient.refused
    }
    // Terminals put what comes so into the clipboard of the desktop that they run on, over ssh as well.
    Output.write("\u{1B}]52;c;\(base64(Array(text.utf8)))\u{07}")
    Output.line("Given to the terminal's clipboard; if it has none, install wl-clipboard, xclip or xsel.")
  }

  static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let number = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for index in 0..<4 { text.append(index <= part.count ? digits[number >> (18 - 6 * index) & 63] : "=") }
    }
    return text
  }
}

/// Other programs of the machine.
enum Programs {
  /// Whether `name` is found along `$PATH`.
  static func has(_ name: String) -> Bool {
    let folders = (ServiceProcess.environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.contains { unsafe access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Runs a program with `text` as its input; whether it ended well.
  static func feed(_ text: String, to program: String, _ arguments: [String]) -> Bool {
    let quoted = ([program] + arguments).joined(separator: " ")
    ServiceProcess.ignoreBrokenPipes()
    guard let pipe = unsafe popen(quoted, "we") else { return false }
    let bytes = Array(text.utf8)
    let written = unsafe fwrite(bytes, 1, bytes.count, pipe)
    return unsafe pclose(pipe) == 0 && written == bytes.count
  }
}
