/// Shell patterns for file names: `*` stands for any characters, `?` for one.
enum Glob {
  /// Matches a pattern, in time at most proportional to the product of the lengths.
  static func matches(_ pattern: String, _ text: String) -> Bool {
    let pattern = Array(pattern.unicodeScalars)
    let text = Array(text.unicodeScalars)
    var (at, position) = (0, 0)
    // The position at which to resume if the star matches more text.
    var retry: (pattern: Int, text: Int)?
    while position < text.count {
      if at < pattern.count, pattern[at] == "*" {
        retry = (at, position)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[position] {
        at += 1
        position += 1
      } else if let last = retry {
        retry = (last.pattern, last.text + 1)
        (at, position) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
