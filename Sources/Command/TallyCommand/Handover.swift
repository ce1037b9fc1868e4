import ArgumentParser
import Glibc
import Linux

/// The mail program of the desktop.
enum Mail {
  /// Opens a new mail.
  ///
  /// - Throws: exit code 1 after printing what is missing.
  static func begin(subject: String, _ text: String) throws {
    let ways = [
      ("xdg-email", ["--utf8", "--subject", subject, "--body", text]),
      ("xdg-open", ["mailto:?subject=\(encoded(subject))&body=\(encoded(text))"]),
    ].filter { Programs.has($0.0) }
    for (program, arguments) in ways where Programs.opens(program, arguments) {
      return Output.line("Opened a mail with the report.")
    }
    Output.complain(
      ways.isEmpty
        ? "There is no program that opens a mail: install xdg-utils, or copy the report with --copy."
        : "This desktop has no mail program that opens a mail. Install one, or copy the report with --copy.")
    throw CoreClient.refused
  }

  /// Percent-encodes a part of a mailto URI (RFC 6068).
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

/// The program of the desktop that sends text messages.
enum TextMessage {
  /// Opens a new message without a receiver (RFC 5724).
  ///
  /// - Throws: exit code 1 after printing what is missing.
  static func begin(_ text: String) throws {
    let hasProgram = Programs.has("xdg-open")
    if hasProgram, Programs.opens("xdg-open", ["sms:?body=\(Mail.encoded(text))"]) {
      return Output.line("Opened a text message with the report.")
    }
    Output.complain(
      hasProgram
        ? "This desktop has no program that sends text messages. Install KDE Connect or GSConnect, or copy the report with --copy."
        : "There is no program that opens a text message: install xdg-utils, and KDE Connect or GSConnect.")
    throw CoreClient.refused
  }
}

/// The clipboard of the desktop, or of the terminal.
enum Clipboard {
  /// Copies a text.
  ///
  /// - Throws: exit code 1 after printing what is missing.
  static func put(_ text: String) throws {
    let ways = [
      ("WAYLAND_DISPLAY", "wl-copy", [String]()), ("DISPLAY", "xclip", ["-selection", "clipboard"]),
      ("DISPLAY", "xsel", ["--clipboard", "--input"]),
    ]
    for (display, program, arguments) in ways
    where ServiceProcess.environment(display) != nil && Programs.has(program) {
      if Programs.feed(text, to: program, arguments + ["2>/dev/null"]) {
        return Output.line("Copied with \(program).")
      }
    }
    guard Terminal.canMove else {
      Output.complain(
        "There is no clipboard here. On a desktop install wl-clipboard, xclip or xsel; without --copy the report is printed."
      )
      throw CoreClient.refused
    }
    // OSC 52: the terminal copies the text to the clipboard of its desktop, over ssh as well.
    StandardOutput.write("\u{1B}]52;c;\(Base64.text(Array(text.utf8)))\u{07}")
    Output.line("Sent to the clipboard of the terminal; if it has none, install wl-clipboard, xclip or xsel.")
  }
}

enum Programs {
  /// Whether `name` is found in `PATH`.
  static func has(_ name: String) -> Bool {
    let folders = (ServiceProcess.environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.contains { unsafe access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Runs a program without its error messages; returns whether it succeeded.
  static func opens(_ name: String, _ arguments: [String]) -> Bool {
    (try? ServiceProcess.run(name, arguments, isQuiet: true)) != nil
  }

  /// Runs a program with `text` as its input; returns whether it succeeded.
  ///
  /// - Parameters:
  ///   - program: a shell command.
  ///   - arguments: further words of the command.
  static func feed(_ text: String, to program: String, _ arguments: [String] = []) -> Bool {
    let command = ([program] + arguments).joined(separator: " ")
    ServiceProcess.ignoreWriteSignals()
    guard let pipe = unsafe popen(command, "we") else { return false }
    // Ctrl-C is for the program, as with system(3): a pager continues.
    let former = [SIGINT, SIGQUIT].map { (signal: $0, action: signal($0, SIG_IGN)) }
    defer { for (number, action) in former { _ = signal(number, action) } }
    let bytes = Array(text.utf8)
    // A program that succeeds may have read only a part of the text, like a pager.
    _ = unsafe fwrite(bytes, 1, bytes.count, pipe)
    return unsafe pclose(pipe) == 0
  }
}
