import CLinux
import Glibc

/// Making, finding and accepting stream sockets that live at a path.
public enum UnixSocket {
  /// Connects to the socket at `path`.
  ///
  /// - Parameter blocking: whether reads and writes on the new descriptor wait.
  /// - Throws: `ENOENT` where nothing is, `ECONNREFUSED` where nobody listens any more, `EACCES` without the right.
  public static func connect(to path: String, blocking: Bool) throws(SystemError) -> Descriptor {
    let attempt = "connect to \(path)"
    let descriptor = Descriptor(owning: try check(linux_unix_socket(blocking ? 1 : 0), attempt))
    var address = try address(of: path, attempt)
    try check(unsafe linux_connect(descriptor.number, &address), attempt)
    return descriptor
  }

  /// Listens at `path`. A socket file that nobody serves any more is replaced; its folder must exist.
  ///
  /// - Parameter mode: the permissions of the socket file; whoever may write to it may connect.
  /// - Throws: `EADDRINUSE` where another process is listening, `ENOTSOCK` where the path holds something else.
  public static func listen(at path: String, mode: UInt32) throws(SystemError) -> Descriptor {
    let attempt = "listen on \(path)"
    try removeStale(path, attempt)
    let descriptor = Descriptor(owning: try check(linux_unix_socket(0), attempt))
    var address = try address(of: path, attempt)
    // The file is created with mode 0600 and gets `mode` after bind, before listen. On Linux the file inherits the
    // descriptor's mode; a change of the umask would also affect other threads.
    guard fchmod(descriptor.number, 0o600) == 0 else { throw .current(attempt) }
    try check(unsafe linux_bind(descriptor.number, &address), attempt)
    guard unsafe chmod(path, mode) == 0 else { throw .current(attempt) }
    guard Glibc.listen(descriptor.number, 4096) == 0 else { throw .current(attempt) }
    return descriptor
  }

  /// Makes the folder that the socket at `path` will lie in, where it is missing: for its owner alone, or for root's
  /// socket open to everyone, since the socket file has rights of its own.
  public static func makeFolder(of path: String) throws(SystemError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    guard unsafe mkdir(folder, geteuid() == 0 ? 0o755 : 0o700) == 0 || errno == EEXIST else {
      throw .current("make the folder \(folder)")
    }
  }

  /// Takes the next waiting connection from a listening descriptor.
  ///
  /// - Returns: a non-blocking descriptor, or `nil` when nobody waits (any more).
  /// - Throws: `EMFILE` and its like, when this process cannot hold another connection.
  public static func accept(from listener: Descriptor) throws(SystemError) -> Descriptor? {
    while true {
      let accepted = linux_accept(listener.number)
      if accepted >= 0 { return Descriptor(owning: accepted) }
      switch -accepted {
      case EAGAIN: return nil
      case EINTR, ECONNABORTED: continue
      default: throw SystemError("accept a connection", code: accepted)
      }
    }
  }

  /// Reads at most `buffer.count` bytes from a connection, and nothing but bytes: descriptors are not taken.
  ///
  /// - Returns: the number of bytes read, 0 at the end, or `nil` when nothing is there yet.
  /// - Throws: `EBADMSG` where the other end passed descriptors along, which are closed already; what the kernel refused.
  public static func receive(
    from connection: Descriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int? {
    while true {
      var carried: Int32 = 0
      let count = unsafe linux_receive(connection.number, buffer.baseAddress, UInt(buffer.count), &carried)
      if carried != 0 { throw SystemError("take descriptors", code: EBADMSG) }
      if count >= 0 { return count }
      if count == -Int(EAGAIN) { return nil }
      if count != -Int(EINTR) { throw SystemError("read from a socket", code: Int32(clamping: count)) }
    }
  }

  /// Who is at the other end, as the kernel saw it when the connection was made.
  public static func peer(of descriptor: Descriptor) throws(SystemError) -> Peer {
    let attempt = "ask who is connected"
    var peer = linux_peer()
    try check(unsafe linux_peer_credentials(descriptor.number, &peer), attempt)
    var groups = [UInt32](repeating: 0, count: 64)
    var count = unsafe linux_peer_groups(descriptor.number, &groups, UInt32(groups.count))
    if count == -ERANGE {
      // The most that the kernel gives a process (NGROUPS_MAX).
      groups = [UInt32](repeating: 0, count: 65_536)
      count = unsafe linux_peer_groups(descriptor.number, &groups, UInt32(groups.count))
    }
    // A kernel before 4.13 does not tell: the process has its own group then.
    let others = groups.prefix(Int(max(0, count)))
    return Peer(process: peer.pid, user: peer.uid, groups: Set(others).union([peer.gid]))
  }

  /// The process at the other end of a connection.
  public struct Peer: Sendable, Equatable {
    public let process: Int32
    public let user: UInt32
    /// Its group and the further ones.
    public let groups: Set<UInt32>

    public init(process: Int32, user: UInt32, groups: Set<UInt32>) {
      self.process = process
      self.user = user
      self.groups = groups
    }
  }

  /// Whether a socket can be at a path at all.
  ///
  /// - Throws: `ENAMETOOLONG` where it is longer than the kernel takes (107 bytes).
  public static func validate(_ path: String) throws(SystemError) {
    _ = try address(of: path, "use the socket \(path)")
  }

  private static func address(of path: String, _ attempt: String) throws(SystemError) -> sockaddr_un {
    var address = sockaddr_un()
    var path = path
    let result = path.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe linux_unix_address(&address, $0.baseAddress, UInt($0.count))
      }
    }
    try check(result, attempt)
    return address
  }

  /// Removes a socket file that refuses connections; leaves alone what is alive or no socket.
  private static func removeStale(_ path: String, _ attempt: String) throws(SystemError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError(attempt, code: ENOTSOCK) }
    do {
      _ = try connect(to: path, blocking: false)
    } catch  where error.code == ECONNREFUSED {
      guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .current(attempt) }
      return
    } catch  where error.code == ENOENT {
      return
    }
    throw SystemError(attempt, code: EADDRINUSE)
  }
}
