import MQTT

/// The version of MQTT for the next connection, from the ends of the former ones.
///
/// Some brokers for 3.1.1 close a connection of MQTT 5 without a word, but so does one that is just starting; others wait for
/// more, but so does one whose path is stalled.
struct VersionChoice {
  /// Whether the broker has said that it knows no MQTT 5.
  private var isOld = false
  /// The number of connections in sequence that were closed without a word.
  private var earlyCloses = 0
  /// Whether the broker gave no answer to the last try in MQTT 5, and whether it once answered in 3.1.1 only.
  private var (isSilent, isOldWhenSilent) = (false, false)

  var version: MQTTVersion { isOld || isSilent || earlyCloses % 3 == 2 ? .v311 : .v5 }

  /// Whether the broker will probably not answer.
  var isDoubtful: Bool { version == .v5 && isOldWhenSilent }

  /// Records that the broker has accepted a connection.
  mutating func connected(by version: MQTTVersion) {
    isOldWhenSilent = version == .v311 && (isSilent || isOldWhenSilent)
  }

  /// Records the end of a connection, or of a try.
  ///
  /// - Returns: whether the next try, in the older version, makes up for it.
  mutating func ended(_ failure: MQTTFailure, by version: MQTTVersion, wasConnected: Bool) -> Bool {
    isSilent = !wasConnected && failure == .silent && version == .v5
    earlyCloses = wasConnected || !failure.isEarlyClose ? 0 : earlyCloses + 1
    guard failure.isOfVersion, version == .v5 else { return false }
    isOld = true
    return true
  }
}
