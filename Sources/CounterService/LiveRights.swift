import Platform
import Varlink

/// The rights in force, which follow `core.toml` when the core is told to read it again.
public final class LiveRights {
  private let option: String?
  private var configuration: CoreConfiguration
  private let owner = ServiceProcess.user
  /// Names are looked up when somebody comes for whom it matters, or has been named: the system's name services take half
  /// a megabyte.
  private lazy var resolved = ResolvedRights(configuration.rights, owner: owner)

  /// - Parameter option: what `--config` says.
  /// - Throws: what ``CoreConfiguration/inForce(option:)`` does, where the first one is wrong already.
  public init(option: String?) throws {
    self.option = option
    configuration = try .inForce(option: option)
    tellUnknown()
  }

  /// Reads the file again; where it is wrong, says so and keeps what was.
  func reload() {
    ServiceProcess.notify("RELOADING=1\nMONOTONIC_USEC=\(Clock.monotonic() / 1000)")
    let sentence: String
    do {
      configuration = try .inForce(option: option)
      resolved = ResolvedRights(configuration.rights, owner: owner)
      sentence = "The configuration was read again and is in force."
      ServiceProcess.log(.notice, sentence)
      tellUnknown()
    } catch {
      for line in "\(error)".split(separator: "\n") { ServiceProcess.log(.error, String(line)) }
      sentence = "The configuration was changed and is wrong; the former one stays in force."
      ServiceProcess.log(.warning, sentence)
    }
    ServiceProcess.notify("READY=1\nSTATUS=\(sentence)")
  }

  /// See ``CoreConfiguration/resetWindow``.
  var resetWindow: Int64 { configuration.resetWindow }

  /// What the programs of a user may claim together, or those of all users who have no right at all; `nil` for all there
  /// is.
  func limits(of peer: UnixSocket.Peer) -> Server.UserLimits? {
    guard !ResolvedRights.isUnlimited(user: peer.user, owner: owner) else { return nil }
    var limits = Server.UserLimits(
      connections: configuration.userLimits.connections, calls: configuration.userLimits.calls)
    if !resolved.permit(.administer, to: peer) { limits.message = Self.shortMessage }
    limits.isShared = !Right.allCases.contains { resolved.permit($0, to: peer) }
    return limits
  }

  /// Whether somebody has a right.
  func permit(_ right: Right, to peer: UnixSocket.Peer) -> Bool {
    ResolvedRights.isUnlimited(user: peer.user, owner: owner) || resolved.permit(right, to: peer)
  }

  /// The longest message in bytes of somebody who may not administer. Only archives to be imported are longer: what is
  /// counted by a hundred gestures at once takes 40 KiB.
  static let shortMessage = 256 << 10

  /// The error to answer to a call that its maker may not make.
  func refusal(of call: Call) -> VarlinkError? {
    let right = Right.needed(for: call.method)
    return permit(right, to: call.peer) ? nil : refusal(of: right, to: right.deed)
  }

  /// The error for somebody without a right.
  ///
  /// - Parameter deed: what he may not do, in words that follow "may not".
  func refusal(of right: Right, to deed: String) -> VarlinkError {
    VarlinkError(
      "org.tallymark.Counters.PermissionDenied",
      [
        "right": .string(right.rawValue),
        "message": .string(
          "You may not \(deed). Root may, and whoever “\(right.rawValue)” in "
            + "\(option ?? CoreConfiguration.standardPath) names: \(names(of: right))."),
      ])
  }

  private func names(of right: Right) -> String {
    let names = (configuration.rights.holders[right] ?? []).map { holder in
      switch holder {
      case .user(let name): "the user \(name)"
      case .group(let name): "the group \(name)"
      case .everyone: "everyone"
      }
    }
    return names.isEmpty ? "nobody" : names.joined(separator: ", ")
  }

  private func tellUnknown() {
    guard configuration.rights != .standard, !resolved.unknown.isEmpty else { return }
    let names = resolved.unknown.joined(separator: ", ")
    ServiceProcess.log(
      .warning,
      "Rights are given to \(names), who are not in /etc/passwd and /etc/group: they give nothing. Whom a directory service "
        + "knows is named by number (“id -u NAME”, “getent group NAME”): \"10000\", \"@10000\".")
  }
}
