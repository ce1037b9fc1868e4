/// Name, version and address of the product.
public enum Product {
  public static let name = "Tallymark"
  public static let version = "0.1.0"
  /// The home page, reported by `GetInfo`; its domain is the namespace of the Varlink interfaces.
  public static let url = "https://tallymark.org"
}
