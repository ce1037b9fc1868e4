/// A hash that is the same on all machines, so that stations can compare their rows by a few numbers. It does not
/// protect against forgery.
enum StableHash {
  /// The steps of SplitMix64, one for each number.
  static func of(_ numbers: some Sequence<Int64>) -> Int64 {
    let hash = numbers.reduce(0 as UInt64) { hash, number in
      var mixed = (hash ^ UInt64(bitPattern: number)) &+ 0x9e37_79b9_7f4a_7c15
      mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
      return mixed ^ mixed >> 31
    }
    return Int64(bitPattern: hash)
  }
}
