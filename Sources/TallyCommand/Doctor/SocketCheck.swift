import Glibc
import Platform
import Varlink

/// Whether a core answers, which version it is, and what this person may ask of it.
struct SocketCheck {
  let keeper: Keeper
  /// Whether the place was said, and is no default.
  let isNamed: Bool
  /// How long each answer may take, in nanoseconds.
  var patience = PatientClient.patience

  static func findings(option: String?, _ keeper: Keeper) -> [Finding] {
    var places = CoreSocket.candidates(option: option)
    let isNamed = CoreSocket.named(option) != nil
    // Where a person has a core of his own, that of the machine is not the one that his presses go to.
    if !isNamed, case .person = keeper, let own = CoreSocket.personal { places = [own] }
    guard !places.isEmpty else {
      return [
        .fault(
          "socket", "There is no place to look for a core.", mend: "export XDG_RUNTIME_DIR=/run/user/$(id -u)",
          hint: "or give --socket")
      ]
    }
    return SocketCheck(keeper: keeper, isNamed: isNamed).findings(places)
  }

  func findings(_ places: [String]) -> [Finding] {
    var faults: [Finding] = []
    for place in places {
      do {
        return answers(try PatientClient(path: place, patience: patience), place)
      } catch {
        faults.append(fault(place, error.code))
      }
    }
    // The last place is the machine's own; that a person has no core beside it is no fault.
    return faults.suffix(1)
  }

  func fault(_ place: String, _ code: Int32) -> Finding {
    let start = keeper.start(place, isNamed: isNamed)
    switch code {
    case ENOENT: return .fault("socket", "Nobody listens at \(place): there is no such socket.", mend: start)
    case ECONNREFUSED: return .fault("socket", "Nobody listens at \(place): its socket is left over.", mend: start)
    case EACCES:
      return .fault(
        "socket", "You may not connect to \(place): its permissions are not what they should be.", mend: start)
    case EAGAIN: return silent(place)
    default: return .fault("socket", "\(place) cannot be used: \(SystemError.reason(code)).", mend: start)
    }
  }

  /// systemd, or the kernel, takes what the core does not.
  private func silent(_ place: String) -> Finding {
    if !isNamed, keeper != .nobody, ServiceUnit("tallyd.service", asking: keeper.asking).isStarting {
      return .notice(
        "socket", "The core at \(place) is being started. One of another version sums up its history first.",
        mend: "\(keeper.journal) -u tallyd.service -n 20", hint: "it says how far that is")
    }
    return .fault(
      "socket", "The core at \(place) takes questions and does not answer.",
      mend: keeper.restart(place, isNamed: isNamed))
  }

  private func answers(_ client: PatientClient, _ place: String) -> [Finding] {
    var findings: [Finding] = []
    do {
      let information = try client.call("org.varlink.service.GetInfo")
      findings = [
        .fine("socket", "A core answers at \(place)."),
        VersionCheck.finding(
          for: "The core that runs", information["version"]?.string ?? "unknown",
          mend: keeper.restart(place, isNamed: isNamed)),
      ]
      let list = try client.call("org.tallymark.Counters.List")
      findings.append(.fine("rights", "You may read the counters."))
      if let trouble = list["trouble"]?.string { findings.append(storage(trouble)) }
    } catch let error as VarlinkError where error.name.hasSuffix(".StorageFailed") {
      findings.append(storage(error.parameters["message"]?.string ?? "\(error)"))
    } catch let error as VarlinkError where error.name.hasSuffix(".PermissionDenied") {
      findings.append(
        .fault(
          "rights", "You may not read the counters: \(error)", mend: "sudo usermod -aG tallymark \"$USER\"",
          hint: "then log out and in again"))
    } catch let error as SystemError where error.code == ETIMEDOUT {
      findings.append(silent(place))
    } catch {
      findings.append(
        .fault(
          "socket", "The core at \(place) does not answer as it should: \(error)",
          mend: keeper.restart(place, isNamed: isNamed)))
    }
    return findings
  }

  /// It goes on by itself; what keeps it from that is the disk's affair.
  private func storage(_ trouble: String) -> Finding {
    .fault(
      "disk", "The core could not keep the last change. \(trouble)", mend: "sudo journalctl -k -b -p warning -n 20",
      hint: "what the disk says")
  }
}
