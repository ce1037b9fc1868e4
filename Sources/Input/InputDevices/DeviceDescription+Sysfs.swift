import Gestures
import Glibc
import Linux

extension DeviceDescription {
  /// Reads the description of the device whose event node is at `syspath` from sysfs; unreadable attributes stay empty.
  ///
  /// Needs no permission on the device. sysfs does not state the ranges of the axes.
  init(syspath: String) {
    let device = syspath + "/device/"
    func text(_ name: String) -> String { Sysfs.read(device + name) ?? "" }
    func number(_ name: String) -> UInt16 { UInt16(text(name), radix: 16) ?? 0 }
    self.init(
      name: text("name"), bus: number("id/bustype"), vendor: number("id/vendor"), product: number("id/product"),
      version: number("id/version"), phys: text("phys"), uniq: text("uniq"),
      properties: Sysfs.bits(text("properties")))
    for (type, file) in describedTypes {
      let bits = Sysfs.bits(text("capabilities/" + file))
      if !bits.isEmpty { codes[type] = bits }
    }
  }
}

/// Small text files of the kernel.
package enum Sysfs {
  /// The text of the file at `path` without the final line break; `nil` if it cannot be read.
  package static func read(_ path: String) -> String? {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    return unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      guard let count = try? unsafe file.read(into: buffer) else { return nil }
      let bytes = unsafe buffer[..<count]
      return unsafe String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes, as: UTF8.self)
    }
  }

  /// The numbers of the set bits in a bit map of sysfs: hexadecimal words, the highest first, each as wide as the
  /// kernel's `long`.
  package static func bits(_ text: String) -> Set<UInt16> {
    var bits: Set<UInt16> = []
    for (index, word) in text.split(separator: " ").reversed().enumerated() {
      guard let value = UInt(word, radix: 16) else { return [] }
      for bit in 0..<UInt.bitWidth where value & (1 << UInt(bit)) != 0 {
        guard let number = UInt16(exactly: index * UInt.bitWidth + bit) else { return bits }
        bits.insert(number)
      }
    }
    return bits
  }
}
