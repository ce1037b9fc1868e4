import Glibc

/// An error of the kernel or of a system library, with the attempted action.
public struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The attempted action, as words that follow "could not": "listen on /run/x.sock".
  public let attempt: String

  /// The positive `errno` value.
  public let code: Int32

  public init(_ attempt: String, code: Int32) {
    self.attempt = attempt
    self.code = code < 0 ? 0 &- code : code
  }

  /// Creates an error from the calling thread's `errno`.
  public static func current(_ attempt: String) -> SystemError { SystemError(attempt, code: errno) }

  public var description: String { "could not \(attempt): \(Self.reason(code))" }

  /// The system's text for `code`, such as "Permission denied".
  public static func reason(_ code: Int32) -> String {
    var words = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(code, &words, words.count) == 0 else { return "error \(code)" }
    return String(decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Returns the result of a C function; throws a ``SystemError`` for a negative result, which is `-errno`.
@discardableResult
package func check(_ result: Int32, _ attempt: @autoclosure () -> String) throws(SystemError) -> Int32 {
  guard result >= 0 else { throw SystemError(attempt(), code: result) }
  return result
}
