import CoreAPI
import Linux
import Varlink

/// The rights in force. Follows `core.toml` on a reload.
public final class CurrentRights {
  private let option: String?
  private var configuration: CoreConfiguration
  private let owner = ServiceProcess.user
  /// The rights with resolved names. The names are resolved only when a peer connects whose rights may depend on a
  /// name: the system's name services take half a megabyte.
  private lazy var resolved = AccessControlList(configuration.rights, owner: owner)

  /// The errors for missing rights. Cached, because a refused program often retries.
  private var refusals: [Right: VarlinkError] = [:]

  /// - Parameter option: the value of `--config`.
  /// - Throws: the errors of ``CoreConfiguration/inForce(option:)``, on the first read.
  public init(option: String?) throws {
    self.option = option
    configuration = try .inForce(option: option)
    logUnknownHolders()
  }

  /// Reads the file again. If the file is not valid, logs the errors and keeps the previous configuration.
  func reload() {
    ServiceProcess.notify("RELOADING=1\nMONOTONIC_USEC=\(Clock.monotonic() / 1000)")
    let sentence: String
    do {
      configuration = try .inForce(option: option)
      resolved = AccessControlList(configuration.rights, owner: owner)
      refusals = [:]
      sentence = "The configuration was reloaded and is in force."
      ServiceProcess.log(.notice, sentence)
      logUnknownHolders()
    } catch {
      for line in "\(error)".split(separator: "\n") { ServiceProcess.log(.error, String(line)) }
      sentence = "The new configuration is not valid; the previous one stays in force."
      ServiceProcess.log(.warning, sentence)
    }
    ServiceProcess.notify("READY=1\nSTATUS=\(sentence)")
  }

  /// Whether the configuration grants rights other than the default ones.
  var areConfigured: Bool { configuration.rights != .standard }

  var resetWindow: Int64 { configuration.resetWindow }

  /// The limits of all programs of a user, or of all users without any right together; `nil` for no limits.
  func limits(of peer: UnixSocket.Peer) -> Server.UserLimits? {
    guard !AccessControlList.isUnlimited(user: peer.user, owner: owner) else { return nil }
    var limits = Server.UserLimits(
      connections: configuration.userLimits.connections, calls: configuration.userLimits.calls)
    if !resolved.permit(.administer, to: peer) { limits.message = Self.shortMessage }
    limits.isShared = !Right.allCases.contains { resolved.permit($0, to: peer) }
    if limits.isShared { limits.calls = min(limits.calls, Self.callsOfStrangers) }
    return limits
  }

  /// The calls per second of all users without a right together. A connection counts as a call. Enough for
  /// introspection and error replies.
  private static let callsOfStrangers = 500

  func permit(_ right: Right, to peer: UnixSocket.Peer) -> Bool {
    AccessControlList.isUnlimited(user: peer.user, owner: owner) || resolved.permit(right, to: peer)
  }

  /// The maximum size of a message, in bytes, without the right to administer. Only imports need more: a delivery of a
  /// hundred gestures takes 40 KiB.
  static let shortMessage = 256 << 10

  /// The error for a call without the necessary right; `nil` if the caller has it.
  func refusal(of call: Call) -> VarlinkError? { refusal(of: Method.right(for: call.method), for: call.peer) }

  /// The error for a caller without a right; `nil` if the caller has it.
  func refusal(of right: Right, for peer: UnixSocket.Peer) -> VarlinkError? {
    if permit(right, to: peer) { return nil }
    if let refusal = refusals[right] { return refusal }
    let refusal = refusal(of: right, to: right.action)
    refusals[right] = refusal
    return refusal
  }

  /// The error for a missing right.
  ///
  /// - Parameter action: the action, to follow "may not".
  func refusal(of right: Right, to action: String) -> VarlinkError {
    Counters.Refusal(
      .permissionDenied(right: right.rawValue),
      message: "You may not \(action). Root can grant the right “\(right.rawValue)” in "
        + "\(option ?? CoreConfiguration.standardPath) (\(holders(of: right)))."
    ).error
  }

  private func holders(of right: Right) -> String {
    let names = (configuration.rights.holders[right] ?? []).map { holder in
      switch holder {
      case .user(let name): "the user \(name)"
      case .group(let name): "the group \(name)"
      case .everyone: "everyone"
      }
    }
    return names.isEmpty ? "no user has it" : "granted to: \(names.joined(separator: ", "))"
  }

  private func logUnknownHolders() {
    guard configuration.rights != .standard, !resolved.unknown.isEmpty else { return }
    let names = resolved.unknown.joined(separator: ", ")
    ServiceProcess.log(
      .warning,
      "Rights are granted to \(names), which are not in /etc/passwd or /etc/group; these entries have no effect. Name users "
        + "and groups of a directory service by number (“id -u NAME”, “getent group NAME”): \"10000\", \"@10000\".")
  }
}
