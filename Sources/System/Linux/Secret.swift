import Csystemd
import Glibc

/// A random secret of 128 bits, such as a code that pairs a device.
public struct Secret: Equatable, Sendable {
  private let value: sd_id128_t

  /// A new random secret.
  ///
  /// - Throws: the error of the kernel's random numbers.
  public init() throws(SystemError) {
    var value = sd_id128_t()
    try check(unsafe sd_id128_randomize(&value), "make a random secret")
    self.value = value
  }

  /// Parses a ``text``; `nil` if the text is not a secret.
  public init?(_ text: String) {
    var value = sd_id128_t()
    guard text.utf8.count == 32, unsafe sd_id128_from_string(text, &value) >= 0 else { return nil }
    self.value = value
  }

  /// The secret as 32 hexadecimal digits.
  public var text: String { Self.hexadecimal(value) }

  /// A value that may be stored instead of the secret: an HMAC-SHA256 of the secret by the machine's ID, of which 122
  /// bits are kept (sd_id128_get_machine_app_specific(3)). The proof does not reveal the secret, and is valid only on
  /// this machine.
  ///
  /// - Throws: `ENOENT` or `ENOMEDIUM` on a machine without an ID.
  public var proof: String {
    get throws(SystemError) {
      var proof = sd_id128_t()
      try check(unsafe sd_id128_get_machine_app_specific(value, &proof), "read the machine's ID (/etc/machine-id)")
      return Self.hexadecimal(proof)
    }
  }

  private static func hexadecimal(_ value: sd_id128_t) -> String {
    unsafe withUnsafeBytes(of: value) { bytes in
      unsafe bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
  }

  public static func == (one: Secret, other: Secret) -> Bool { one.text == other.text }
}
