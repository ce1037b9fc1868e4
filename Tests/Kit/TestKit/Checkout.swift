/// The folder of the project, whose documents, recordings and settings tests read.
public enum Checkout {
  public static let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The absolute path of a file of the project.
  public static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
