import MQTT

/// The version of MQTT for the next connection, chosen by the ends of former connections.
///
/// Some brokers for 3.1.1 close a connection of MQTT 5 without a reason, but so does a starting broker; others wait for
/// more bytes, but so does a broker with a stalled path.
struct VersionChoice {
  /// Whether the broker has reported that it does not know MQTT 5.
  private var isOld = false
  /// The number of consecutive connections that were closed without a reason.
  private var earlyCloses = 0
  /// `isSilent`: whether the broker did not reply to the last attempt with MQTT 5. `isOldWhenSilent`: whether the
  /// broker has accepted 3.1.1 after such an attempt.
  private var (isSilent, isOldWhenSilent) = (false, false)

  var version: MQTTVersion { isOld || isSilent || earlyCloses % 3 == 2 ? .v311 : .v5 }

  /// Whether the broker will probably not reply.
  var isDoubtful: Bool { version == .v5 && isOldWhenSilent }

  /// Records that the broker has accepted a connection.
  mutating func connected(by version: MQTTVersion) {
    isOldWhenSilent = version == .v311 && (isSilent || isOldWhenSilent)
  }

  /// Records the end of a connection, or of an attempt.
  ///
  /// - Returns: whether to try the older version at once, without reporting the failure.
  mutating func ended(_ failure: MQTTFailure, by version: MQTTVersion, wasConnected: Bool) -> Bool {
    isSilent = !wasConnected && failure == .silent && version == .v5
    earlyCloses = wasConnected || !failure.isEarlyClose ? 0 : earlyCloses + 1
    guard failure.isOfVersion, version == .v5 else { return false }
    isOld = true
    return true
  }
}
