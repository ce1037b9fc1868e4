/// What the programs say of themselves.
public enum Product {
  public static let name = "Tallymark"
  public static let version = "0.1.0"
  /// The name space of its interfaces, as an address.
  public static let url = "https://tallymark.org"
}
