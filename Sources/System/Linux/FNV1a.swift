/// The hash FNV-1a with 64 bits. Equal in all processes; no protection against forgery.
public enum FNV1a {
  // Inlined, because each press hashes its line of the spool: unspecialised, that took half of all its instructions.
  @inlinable
  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
