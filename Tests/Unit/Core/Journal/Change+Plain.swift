import Counting

extension Change {
  static func create(name: String, title: String?, start: Int64, step: Int64) -> Change {
    var settings: Settings = [.start: .integer(start), .step: .integer(step)]
    if let title { settings[.title] = .text(title) }
    return .create(name: name, settings)
  }
}
