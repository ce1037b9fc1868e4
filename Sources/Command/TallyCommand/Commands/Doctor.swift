import ArgumentParser
import JSON
import Linux
import Varlink

/// `tally doctor`: finds problems of this machine, with commands that fix them.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for problems that keep this machine from counting, and show how to fix them.",
    discussion: """
      Checks services, socket, rights, devices, udev rules, disk, journal, periods, versions, motion sensor and, where \
      they are used, fleet, board and kiosk. Changes nothing. Exits with code 1 if a check fails.
      Example: tally doctor
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    ServiceProcess.ignoreWriteSignals()
    let scope = ServiceScope.find()
    let checks: [() -> [Finding]] = [
      { ServiceCheck.findings(scope) }, { SocketCheck.findings(option: options.socket, scope) },
      VersionCheck.findings, { RuleCheck.findings(scope) }, { DeviceCheck.findings(scope) },
      { SensorCheck.findings(scope) }, { DiskCheck.findings(option: options.socket, scope) },
      { JournalCheck.findings(option: options.socket, scope) }, BoardCheck.findings, KioskCheck.findings,
    ]
    var faults = 0
    // Findings are printed before the next check, which may be slow.
    for check in checks {
      for finding in check() {
        Output.line(options.json ? finding.json.description : finding.text)
        if finding.severity == .fault { faults += 1 }
      }
    }
    guard faults > 0 else {
      if !options.json { Output.line("No problems found.") }
      return
    }
    if !options.json { Output.line(faults == 1 ? "1 problem found." : "\(faults) problems found.") }
    throw ExitCode(1)
  }
}
