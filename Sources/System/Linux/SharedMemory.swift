import CLinux
import Glibc

/// Memory that outlives the process as long as its descriptor is open elsewhere (memfd_create(2)), for example in
/// systemd's store.
@safe
public final class SharedMemory {
  /// The descriptor that keeps the memory allocated.
  public let descriptor: FileDescriptor
  public let bytes: UnsafeMutableRawBufferPointer

  /// Allocates `size` bytes, all zero.
  ///
  /// - Parameter name: shown in the process's memory map.
  public convenience init(size: Int, name: String) throws(SystemError) {
    let number = unsafe linux_memory_file(name)
    try check(number, "create shared memory")
    let descriptor = FileDescriptor(owning: number)
    guard ftruncate(number, off_t(size)) == 0 else { throw .current("create shared memory") }
    try self.init(descriptor, size: size)
  }

  /// Maps `size` bytes that an earlier process allocated.
  ///
  /// - Throws: `EINVAL` if the size differs.
  public init(_ descriptor: FileDescriptor, size: Int) throws(SystemError) {
    guard lseek(descriptor.number, 0, SEEK_END) == size else {
      throw SystemError("use shared memory of another size", code: EINVAL)
    }
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { throw .current("map shared memory") }
    self.descriptor = descriptor
    unsafe bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  deinit { unsafe munmap(bytes.baseAddress, bytes.count) }
}
