public import Bindings
public import InputDaemon
import Linux

/// `tally-input devices`: all devices, and the strokes that the daemons using them have ignored.
public enum DeviceList {
  /// The reports on all devices, in the order of ``DeviceReport/all(_:)``.
  ///
  /// A daemon is asked only by a user who may receive its devices; other users get no numbers of ignored strokes.
  public static func reports(_ configuration: Configuration) throws -> [DeviceReport] {
    let reports = try DeviceReport.all(configuration)
    let loop = try EventLoop()
    let daemons = try RelayClient(loop: loop) { _ in }
    for report in reports where report.isWanted { daemons.listen(to: report.node) { _ in } }
    try daemons.waitForReports()
    return reports.map { report in
      var report = report
      report.ignored = daemons.ignored(of: report.node)
      return report
    }
  }
}
