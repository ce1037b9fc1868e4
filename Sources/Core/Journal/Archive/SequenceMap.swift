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
    var (low, high) = (0, there.count)
    while low < high {
      let middle = (low + high) / 2
      if there[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < there.count && there[low] == number ? here[low] : nil
  }
}
