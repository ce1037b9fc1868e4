/// What the programs say of themselves.
public enum Product {
  public static let name = "Tallymark"
  public static let version = "0.1.0"
  /// Where its interfaces are named: the project has no page of its own yet.
  public static let url = "https://tallymark.org"
}
