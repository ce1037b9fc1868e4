/// A map from the archive's sequence numbers to local ones, filled in ascending order.
struct SequenceMap {
  private var there: [Int64] = []
  private var here: [Int64] = []

  mutating func add(_ number: Int64, _ numberHere: Int64) {
    there.append(number)
    here.append(numberHere)
  }

  /// The archive's number of a local event. Takes time in proportion to the archive.
  func number(of sequence: Int64) -> Int64? { here.lastIndex(of: sequence).map { there[$0] } }

  subscript(number: Int64) -> Int64? {
    let place = there.partitioningIndex { $0 >= number }
    return place < there.count && there[place] == number ? here[place] : nil
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element fulfils a condition that holds for all later elements, too; `endIndex` for none.
  /// Takes time in proportion to the logarithm of the count.
  func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
