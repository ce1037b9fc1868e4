import ArgumentParser
import Platform
import Varlink

/// `tally doctor`: what is wrong on this machine, and which command mends it.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for what keeps this machine from counting, and say what mends it.",
    discussion: """
      Looks at services, socket, rights, devices, udev's rules, disk, versions and motion sensor. Changes nothing. Exits with
      1 where something is at fault.
      Example: tally doctor
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    ServiceProcess.ignoreBrokenPipes()
    let keeper = Keeper.find()
    let checks: [() -> [Finding]] = [
      { ServiceCheck.findings(keeper) }, { SocketCheck.findings(option: options.socket, keeper) },
      VersionCheck.findings, { RuleCheck.findings(keeper) }, { DeviceCheck.findings(keeper) },
      { SensorCheck.findings(keeper) }, { DiskCheck.findings(keeper) },
    ]
    var faults = 0
    // Each is printed before the next one is looked for, which may take its time.
    for check in checks {
      for finding in check() {
        Output.line(options.json ? finding.json.description : finding.text)
        if finding.severity == .fault { faults += 1 }
      }
    }
    guard faults > 0 else {
      if !options.json { Output.line("Nothing is at fault.") }
      return
    }
    if !options.json { Output.line(faults == 1 ? "One thing is at fault." : "\(faults) things are at fault.") }
    throw ExitCode(1)
  }
}
