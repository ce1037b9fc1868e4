import CoreAPI
import Glibc
import JSON
import Linux
import Tallymark
import Varlink

/// Checks that a core replies, its version, the user's rights, and the fleet of the core.
struct SocketCheck {
  let scope: ServiceScope
  /// Whether the path was given, and is not a default.
  let isNamed: Bool
  /// The timeout of a call, in milliseconds: longer than systemd needs to start a core, or than a slow disk delays one.
  var patience: Int32 = 10_000

  /// The sockets to try, in order.
  static func places(option: String?, _ scope: ServiceScope) -> [String] {
    // The presses of a user with a separate core do not go to the system's core.
    if CoreSocket.named(option) == nil, case .person = scope, let own = CoreSocket.personal { return [own] }
    return CoreSocket.candidates(option: option)
  }

  static func findings(option: String?, _ scope: ServiceScope) -> [Finding] {
    let places = places(option: option, scope)
    let isNamed = CoreSocket.named(option) != nil
    guard !places.isEmpty else {
      return [
        .fault(
          "socket", "No path of a core's socket is known.", mend: "export XDG_RUNTIME_DIR=/run/user/$(id -u)",
          hint: "or give --socket")
      ]
    }
    return SocketCheck(scope: scope, isNamed: isNamed).findings(places)
  }

  func findings(_ places: [String]) -> [Finding] {
    var faults: [Finding] = []
    for place in places {
      do {
        return answers(try Client(path: place), place)
      } catch {
        faults.append(fault(place, error.code))
      }
    }
    // The last path is the system's core; the lack of a separate core for the user is not a problem.
    return faults.suffix(1)
  }

  func fault(_ place: String, _ code: Int32) -> Finding {
    let start = scope.start(place, isNamed: isNamed)
    switch code {
    case ENOENT: return .fault("socket", "No core listens at \(place): the socket does not exist.", mend: start)
    case ECONNREFUSED: return .fault("socket", "No core listens at \(place): the socket is stale.", mend: start)
    case EACCES:
      return .fault(
        "socket", "You may not connect to \(place): its permissions, or those of a folder above it, do not let you.",
        mend: scope.permit(place, isNamed: isNamed))
    case EAGAIN: return silent(place)
    default: return .fault("socket", "\(place) cannot be used: \(SystemError.reason(code)).", mend: start)
    }
  }

  /// The finding for a connection that the kernel or systemd accepts, but not the core.
  private func silent(_ place: String) -> Finding {
    if !isNamed, scope != .nobody, ServiceUnit("tallyd.service", asking: scope.asking).isStarting {
      return .notice(
        "socket", "The core at \(place) is starting. After an upgrade it first summarises its history.",
        mend: "\(scope.journal) -u tallyd.service -n 20", hint: "it shows the progress")
    }
    return .fault(
      "socket", "The core at \(place) accepts connections, but does not reply.",
      mend: scope.restart(place, isNamed: isNamed))
  }

  private func answers(_ client: Client, _ place: String) -> [Finding] {
    client.patience = patience
    var findings: [Finding] = []
    do {
      let information = try client.call("org.varlink.service.GetInfo")
      let version = information["version"]?.string ?? "unknown"
      findings = [
        .fine("socket", "A core replies at \(place)."),
        VersionCheck.finding(for: "The running core", version, mend: scope.restart(place, isNamed: isNamed)),
      ]
      let list = try client.call(.list)
      findings.append(.fine("rights", "You may read the counters."))
      if let trouble = list.trouble { findings.append(storage(trouble, place)) }
      // A core of another version may not know these methods.
      if version == Product.version {
        findings += try EarlyEnd.all(client).map { end in
          .notice("periods", end.sentence, mend: end.remedy, hint: "if that clock was wrong; tally redo takes it back")
        }
        findings += FleetCheck.findings(try client.call(.fleet()), scope, isNamed: isNamed)
      }
    } catch let refusal as Counters.Refusal where refusal.name == .storageFailed {
      findings.append(storage(refusal.message, place))
    } catch let refusal as Counters.Refusal where refusal.name == .permissionDenied {
      findings.append(rights(refusal.message))
    } catch let error as VarlinkError where error == .permissionDenied {
      findings.append(rights("You may not read the counters: \(error)"))
    } catch let error as SystemError where error.code == ETIMEDOUT {
      findings.append(silent(place))
    } catch {
      findings.append(
        .fault(
          "socket", "The core at \(place) does not reply as expected: \(error)",
          mend: scope.restart(place, isNamed: isNamed)))
    }
    return findings
  }

  private func rights(_ sentence: String) -> Finding {
    .fault("rights", sentence, mend: "sudo usermod -aG tallymark \"$USER\"", hint: "then log out and in again")
  }

  /// The finding for a disk that the core cannot write to. The core retries by itself, unless its journal is gone.
  private func storage(_ trouble: String, _ place: String) -> Finding {
    Self.storage(
      trouble, folder: CoreFolder.find(listeningAt: place).folder, restart: scope.restart(place, isNamed: isNamed))
  }

  /// - Parameter folder: the core's state folder, if it is known.
  static func storage(_ trouble: String, folder: String?, restart: Remedy) -> Finding {
    let sentence = "The core could not store the last change. \(trouble)"
    let word = folder.map { " \(Remedy.word($0))" } ?? ""
    if trouble.contains("was deleted, moved or replaced") {
      return .fault("disk", sentence, mend: "ls -l\(word)", hint: "put the journal back, then: \(restart.command)")
    }
    if trouble.contains(" is full") || trouble.contains("quota") {
      return .fault(
        "disk", sentence, mend: "df -h\(word)", hint: "after space is freed, counting continues without a restart")
    }
    return .fault(
      "disk", sentence, mend: "sudo journalctl -k -b -p warning -n 20", hint: "kernel messages about the disk")
  }
}
