import CLinux
import Glibc

/// Memory that outlives the process for as long as somebody keeps its descriptor; what the kernel writes into it is there
/// whatever happens to the process.
@safe
public final class SharedMemory {
  /// What is given to whoever keeps it.
  public let descriptor: Descriptor
  public let bytes: UnsafeMutableRawBufferPointer

  /// Makes `size` bytes, all zero.
  public convenience init(size: Int) throws(SystemError) {
    let number = unsafe linux_memory_file("tallymark")
    try check(number, "make shared memory")
    let descriptor = Descriptor(owning: number)
    guard ftruncate(number, off_t(size)) == 0 else { throw .current("make shared memory") }
    try self.init(descriptor, size: size)
  }

  /// Takes up `size` bytes that an earlier process made.
  ///
  /// - Throws: `EINVAL` where there are not as many.
  public init(_ descriptor: Descriptor, size: Int) throws(SystemError) {
    guard lseek(descriptor.number, 0, SEEK_END) == size else {
      throw SystemError("take up shared memory", code: EINVAL)
    }
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { throw .current("map shared memory") }
    self.descriptor = descriptor
    unsafe bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  deinit { unsafe munmap(bytes.baseAddress, bytes.count) }
}
