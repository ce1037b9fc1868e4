/// The names of keys and their codes. libevdev has the list; this module only needs the answers.
public struct KeyNames: Sendable {
  /// The code that a name such as `KEY_B` or `BTN_LEFT` stands for.
  public let code: @Sendable (String) -> UInt16?
  /// Names to guess from when one is unknown; may be empty.
  public let known: [String]

  public init(code: @escaping @Sendable (String) -> UInt16?, known: [String] = []) {
    self.code = code
    self.known = known
  }
}
