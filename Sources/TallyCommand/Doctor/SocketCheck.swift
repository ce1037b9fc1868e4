import Glibc
import Platform
import Varlink

/// Whether a core answers, which version it is, and what this person may ask of it.
struct SocketCheck {
  static func findings(option: String?) -> [Finding] {
    let places = CoreSocket.candidates(option: option)
    guard !places.isEmpty else {
      return [
        .fault(
          "socket", "There is no place to look for a core.",
          mend: "export XDG_RUNTIME_DIR=/run/user/$(id -u)   (or give --socket)")
      ]
    }
    var faults: [Finding] = []
    for place in places {
      do {
        return [.fine("socket", "A core answers at \(place).")] + answers(try Client(path: place))
      } catch {
        faults.append(fault(place, error.code))
      }
    }
    // The last place is the machine's own; that a person has no core beside it is no fault.
    return faults.suffix(1)
  }

  static func fault(_ place: String, _ code: Int32) -> Finding {
    switch code {
    case ENOENT:
      .fault("socket", "Nobody listens at \(place): there is no such socket.", mend: start(place))
    case ECONNREFUSED:
      .fault("socket", "Nobody listens at \(place): its socket is left over.", mend: start(place))
    case EACCES:
      .fault(
        "socket", "You may not connect to \(place): its permissions are not what they should be.",
        mend: "sudo systemctl restart tallyd.socket")
    default:
      .fault("socket", "\(place) cannot be used: \(SystemError.reason(code)).", mend: start(place))
    }
  }

  private static func start(_ place: String) -> String {
    place == CoreSocket.system ? "sudo systemctl restart tallyd.socket" : "tallyd --socket \(place)"
  }

  private static func answers(_ client: Client) -> [Finding] {
    var findings: [Finding] = []
    if let information = try? client.call("org.varlink.service.GetInfo") {
      findings.append(version(of: "The core that runs", information["version"]?.string ?? "unknown", isRunning: true))
    }
    do {
      let list = try client.call("org.tallymark.Counters.List")
      findings.append(.fine("rights", "You may read the counters."))
      if let trouble = list["trouble"]?.string { findings.append(storage(trouble)) }
    } catch let error as VarlinkError where error.name.hasSuffix(".StorageFailed") {
      findings.append(storage(error.parameters["message"]?.string ?? "\(error)"))
    } catch let error as VarlinkError where error.name.hasSuffix(".PermissionDenied") {
      findings.append(
        .fault(
          "rights", "You may not read the counters: \(error)",
          mend: "sudo usermod -aG tallymark \"$USER\"   (then log out and in again)"))
    } catch {
      findings.append(.fault("socket", "The core does not answer as it should: \(error)", mend: restart))
    }
    return findings
  }

  /// It goes on by itself; what keeps it from that is the disk's affair.
  private static func storage(_ trouble: String) -> Finding {
    .fault(
      "disk", "The core could not keep the last change. \(trouble)",
      mend: "journalctl -k -b -p warning   (what the disk says)")
  }

  private static let restart = "sudo systemctl restart tallyd"

  /// Holds a version against this program's own.
  static func version(of what: String, _ version: String, isRunning: Bool) -> Finding {
    if version == Product.version { return .fine("versions", "\(what) is version \(version), as this program is.") }
    return .fault(
      "versions", "\(what) is version \(version), and this program is \(Product.version).",
      mend: isRunning ? restart : "install all programs of one version: sudo make install, or the package")
  }
}
