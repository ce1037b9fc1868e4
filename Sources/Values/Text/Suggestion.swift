/// Finds the known word that a person probably meant by an unknown word.
package enum Suggestion {
  /// The word among `known` that is nearest to `word`; `nil` if none is near enough to have been meant.
  package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
    // One error per three letters is allowed. With more errors, any word resembles any other.
    let limit = min(max(word.count / 3, 1), 3)
    let written = Array(word.lowercased())
    guard written.count <= 64 else { return nil }
    var best: (distance: Int, word: String)?
    for candidate in known {
      let distance = distance(written, Array(candidate.lowercased()))
      if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.word
  }

  /// The guess as a question for the end of a message.
  package static func phrase(for word: String, among known: some Sequence<String>) -> String? {
    nearest(to: word, among: known).map { "did you mean \"\($0)\"?" }
  }

  /// The number of errors between two words: letters left out, added or mistaken, or two neighbours exchanged.
  package static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var least = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          least = min(least, beforeLast[column - 2] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
