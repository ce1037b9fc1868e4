import CLinux
import Glibc

/// Unix stream sockets at a path: connect, listen, accept, receive.
public enum UnixSocket {
  /// Connects to the socket at `path`.
  ///
  /// - Parameters:
  ///   - blocking: whether reads and writes on the new descriptor block.
  ///   - patience: the time in milliseconds that connecting, and later each write, waits for the listener on a blocking
  ///     descriptor.
  /// - Throws: `ENOENT` without a socket file, `ECONNREFUSED` without a listener, `EACCES` without permission, `EAGAIN`
  ///   if the listener's queue of new connections is full.
  public static func connect(
    to path: String, blocking: Bool, patience: UInt32? = nil
  ) throws(SystemError) -> FileDescriptor {
    let attempt = "connect to \(path)"
    let descriptor = FileDescriptor(owning: try check(linux_unix_socket(blocking ? 1 : 0), attempt))
    if let patience { try check(linux_limit_waiting_to_send(descriptor.number, patience), attempt) }
    var address = try address(of: path, attempt)
    try check(unsafe linux_connect(descriptor.number, &address), attempt)
    return descriptor
  }

  /// Listens at `path`, in a folder that must exist. Replaces a socket file without a listener.
  ///
  /// - Parameter mode: the permissions of the socket file; connecting needs write permission.
  /// - Throws: `EADDRINUSE` if another process is listening, `ENOTSOCK` if the path is another kind of file.
  public static func listen(at path: String, mode: UInt32) throws(SystemError) -> FileDescriptor {
    let attempt = "listen on \(path)"
    try removeStale(path, attempt)
    let descriptor = FileDescriptor(owning: try check(linux_unix_socket(0), attempt))
    var address = try address(of: path, attempt)
    // The file is created with mode 0600 and gets `mode` after bind, before listen. On Linux the file inherits the
    // descriptor's mode; a change of the umask would also affect other threads.
    guard fchmod(descriptor.number, 0o600) == 0 else { throw .current(attempt) }
    try check(unsafe linux_bind(descriptor.number, &address), attempt)
    guard unsafe chmod(path, mode) == 0 else { throw .current(attempt) }
    guard Glibc.listen(descriptor.number, 4096) == 0 else { throw .current(attempt) }
    return descriptor
  }

  /// Changes the number of connections that may wait for ``accept(from:)``; further ones wait in `connect`.
  public static func limitQueue(of listener: FileDescriptor, to connections: Int32) throws(SystemError) {
    guard Glibc.listen(listener.number, connections) == 0 else { throw .current("limit the queue of a socket") }
  }

  /// Creates the folder of `path` if it is missing: private to the user; if the user is root, readable by everyone,
  /// because the socket file has its own permissions.
  public static func makeFolder(of path: String) throws(SystemError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    guard unsafe mkdir(folder, geteuid() == 0 ? 0o755 : 0o700) == 0 || errno == EEXIST else {
      throw .current("create the folder \(folder)")
    }
  }

  /// Accepts the next connection of a listening descriptor.
  ///
  /// - Returns: a non-blocking descriptor, or `nil` if no connection is waiting.
  /// - Throws: `EMFILE`, `ENFILE` or `ENOMEM` if this process cannot have another connection.
  public static func accept(from listener: FileDescriptor) throws(SystemError) -> FileDescriptor? {
    while true {
      let accepted = linux_accept(listener.number)
      if accepted >= 0 { return FileDescriptor(owning: accepted) }
      switch -accepted {
      case EAGAIN: return nil
      case EINTR, ECONNABORTED: continue
      default: throw SystemError("accept a connection", code: accepted)
      }
    }
  }

  /// Reads at most `buffer.count` bytes from a connection.
  ///
  /// - Returns: the number of bytes read, 0 at the end, or `nil` if the read would block.
  /// - Throws: `EBADMSG` if the peer sent file descriptors, which are closed; otherwise the kernel's error.
  public static func receive(
    from connection: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int? {
    while true {
      var carried: Int32 = 0
      let count = unsafe linux_receive(connection.number, buffer.baseAddress, UInt(buffer.count), &carried)
      if carried != 0 { throw SystemError("accept file descriptors from a peer", code: EBADMSG) }
      if count >= 0 { return count }
      if count == -Int(EAGAIN) { return nil }
      if count != -Int(EINTR) { throw SystemError("read from a socket", code: Int32(clamping: count)) }
    }
  }

  /// Reads at most `most` bytes from a connection.
  ///
  /// - Returns: the bytes, none at the end and if the read fails, or `nil` if the read would block.
  public static func received(from connection: FileDescriptor, atMost most: Int) -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: most)
    let count = buffer.withUnsafeMutableBytes { buffer in
      do throws(SystemError) { return try receive(from: connection, into: buffer) } catch { return 0 }
    }
    return count.map { buffer[..<$0] }
  }

  /// Returns the credentials of the peer, as of the time when it connected.
  public static func peer(of descriptor: FileDescriptor) throws(SystemError) -> Peer {
    let attempt = "read the credentials of a peer"
    var peer = linux_peer()
    try check(unsafe linux_peer_credentials(descriptor.number, &peer), attempt)
    var groups = [UInt32](repeating: 0, count: 64)
    var count = unsafe linux_peer_groups(descriptor.number, &groups, UInt32(groups.count))
    if count == -ERANGE {
      // The kernel's maximum (NGROUPS_MAX).
      groups = [UInt32](repeating: 0, count: 65_536)
      count = unsafe linux_peer_groups(descriptor.number, &groups, UInt32(groups.count))
    }
    // Kernels before 4.13 report no supplementary groups.
    let others = groups.prefix(Int(max(0, count)))
    return Peer(process: peer.pid, user: peer.uid, groups: Set(others).union([peer.gid]))
  }

  /// The process at the other end of a connection.
  public struct Peer: Sendable, Equatable {
    public let process: Int32
    public let user: UInt32
    /// The primary and supplementary groups.
    public let groups: Set<UInt32>

    public init(process: Int32, user: UInt32, groups: Set<UInt32>) {
      self.process = process
      self.user = user
      self.groups = groups
    }
  }

  /// Checks the length of a socket's path.
  ///
  /// - Throws: `ENAMETOOLONG` for more than 107 bytes, the kernel's limit.
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

  /// Removes a socket file without a listener.
  ///
  /// - Throws: `ENOTSOCK` for another kind of file, `EADDRINUSE` if there is a listener.
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
