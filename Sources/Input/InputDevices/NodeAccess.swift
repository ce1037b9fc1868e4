import CLinux
import Glibc
public import Linux
import Tallymark

/// Whether this process may use a device's node, and if not, the obstacle and the command that removes it.
public enum NodeAccess: Equatable, Sendable {
  case allowed
  /// The file does not exist, or no longer exists.
  case missing
  case denied(Denial)

  /// The mode in which a node is opened.
  public enum Purpose: String, Sendable {
    case gestures = "read"
    case feedback = "write to"
  }

  /// Reads the access rights of the node at `path`.
  public init(of path: String, for purpose: Purpose = .gestures) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      self = .missing
      return
    }
    // Checks the effective rights, access control lists included.
    let wanted = purpose == .gestures ? R_OK : W_OK
    guard unsafe faccessat(AT_FDCWD, path, wanted, AT_EACCESS) != 0 else {
      self = .allowed
      return
    }
    let group = Group(status.st_gid)
    self = .denied(
      Denial(
        path: path, purpose: purpose, mode: status.st_mode & 0o777, group: group.name,
        isInGroup: Self.isInGroup(status.st_gid),
        isListedInGroup: ServiceProcess.environment("USER").map(group.members.contains) ?? false))
  }

  /// The reason why an existing node cannot be used.
  public struct Denial: Equatable, Sendable {
    package init(
      path: String, purpose: Purpose = .gestures, mode: UInt32, group: String, isInGroup: Bool, isListedInGroup: Bool
    ) {
      self.path = path
      self.purpose = purpose
      self.mode = mode
      self.group = group
      self.isInGroup = isInGroup
      self.isListedInGroup = isListedInGroup
    }

    public let path: String
    public let purpose: Purpose
    /// The nine permission bits of the node.
    public let mode: UInt32
    /// The name of the group that owns the node, or its number if it has no name.
    public let group: String
    /// Whether this process has that group.
    public let isInGroup: Bool
    /// Whether the system lists this user in that group. If the process does not have the group, a new login is needed.
    public let isListedInGroup: Bool

    /// The obstacle, as a sentence.
    public var reason: String {
      let use = purpose.rawValue
      if isInGroup || !mayGroup {
        return "The group \(group) owns \(path), and its mode \(octal) does not let this user \(use) it."
      }
      if isListedInGroup { return "The group \(group) may \(use) \(path); this login is older than your place in it." }
      return "The group \(group) may \(use) \(path), and this user is not in it."
    }

    /// The remedy: a command to run, with remarks.
    public var remedy: String {
      if isInGroup || !mayGroup || group == "root" {
        let rules = DeviceRules.remedy()
        let others = "for known devices; for another: sudo tally-input learn"
        return Remedy(rules.command, hint: rules.hint.map { "\($0), \(others)" } ?? others).description
      }
      if isListedInGroup { return "log out and in again (until then: newgrp \(group))" }
      return "sudo usermod -aG \(group) \"$USER\"   (then log out and in again)"
    }

    private var mayGroup: Bool { mode & (purpose == .gestures ? 0o040 : 0o020) != 0 }
    private var octal: String { "0" + String(mode, radix: 8) }
  }

  /// A group in the system's database of groups, with its members.
  private struct Group {
    var name: String
    var members: [String] = []

    init(_ number: UInt32) {
      name = String(number)
      guard let entry = unsafe getgrgid(number), let known = unsafe entry.pointee.gr_name else { return }
      name = unsafe String(cString: known)
      var next = unsafe entry.pointee.gr_mem
      while let list = unsafe next, let member = unsafe list.pointee {
        members.append(unsafe String(cString: member))
        unsafe next = list + 1
      }
    }
  }

  private static func isInGroup(_ number: UInt32) -> Bool {
    if getegid() == number { return true }
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return count > 0 && groups.prefix(Int(count)).contains(number)
  }
}

/// The reason why a device cannot be read.
public enum DeviceError: Error, Equatable, CustomStringConvertible {
  /// The device was unplugged, switched off, or is out of range.
  case gone
  /// This process has no permission to open the device. udev may still set the permission, some time after the node
  /// appears.
  case denied(SystemError)
  /// The kernel refused for another reason.
  case failed(SystemError)

  init(_ error: SystemError) {
    switch error.code {
    case ENODEV, ENOENT, ENXIO: self = .gone
    case EACCES, EPERM: self = .denied(error)
    default: self = .failed(error)
    }
  }

  public var description: String {
    switch self {
    case .gone: "the device is gone"
    case .denied(let error), .failed(let error): error.description
    }
  }
}
