public import Fleet
import Glibc
import Linux
public import MQTT

extension MQTTFailure {
  /// The reason as a sentence for the person who must act. Contains no password.
  public func sentence(_ broker: BrokerURL) -> String {
    switch self {
    case .refused(let code): "The broker at \(broker) \(Self.refusal(code))"
    case .system(ECONNRESET) where !broker.isEncrypted:
      "The broker at \(broker) closed the connection. If it speaks TLS, write mqtts:// in the URL."
    case .system(let code): "The broker at \(broker) cannot be reached: \(SystemError.reason(code))."
    case .tls(let failure): failure.sentence(broker)
    case .name: "The name \(broker.host) of the broker has no address. Check the URL and the name service."
    case .silent: "The broker at \(broker) does not answer."
    case .lost(let reason):
      "The broker at \(broker) closed the connection" + (reason.map { " (\($0.trimmed))" } ?? "") + "."
    case .protocolViolated: "The server at \(broker) does not speak MQTT."
    case .tooLong:
      "The broker at \(broker) sends a message of more than 16 MiB. Remove it there if it is retained, and have the broker "
        + "refuse such messages (mosquitto: message_size_limit 65536)."
    case .files:
      "A file of TLS cannot be used. Check --cert and --key; a certificate needs its key."
    }
  }

  /// Whether a retry is useless until a person changes settings of the broker or of this station.
  public var isLasting: Bool {
    switch self {
    case .refused(let code): [2, 4, 5, 133, 134, 135, 138, 140].contains(code)
    case .tls(let failure): failure != .closed
    case .files, .tooLong: true
    case .system, .name, .silent, .lost, .protocolViolated: false
    }
  }

  /// Whether the broker does not know the version of the protocol.
  public var isOfVersion: Bool { self == .refused(code: 1) || self == .refused(code: 132) }

  /// Whether the broker closed the connection without a reason.
  public var isEarlyClose: Bool {
    switch self {
    case .lost, .protocolViolated, .system(ECONNRESET): true
    case .refused, .tls, .name, .silent, .files, .tooLong, .system: false
    }
  }

  /// The text for a reason code. Codes below 128 are of MQTT 3.1.1.
  private static func refusal(_ code: Int32) -> String {
    switch code {
    case 4, 5, 134, 135:
      "refuses this station. Check its user and password (tally fleet join mqtt://USER:PASSWORD@HOST …, or "
        + "--password-file), or its certificate."
    case 1, 132: "speaks neither MQTT 5 nor MQTT 3.1.1."
    case 2, 133: "refuses the client ID."
    case 3, 136: "is not available at present."
    case 137: "is busy."
    case 138: "has banned this station."
    case 139: "shuts down."
    case 141: "heard nothing of this station for too long."
    case 142: "has another client with the ID of this one."
    case 147, 150, 151, 159: "limits how much this station may send."
    case 149: "refuses messages of that length."
    default: "ended the connection with reason \(code)."
    }
  }
}

extension TLSFailure {
  fileprivate func sentence(_ broker: BrokerURL) -> String {
    let certificate = "The certificate of the broker at \(broker)"
    return switch self {
    case .expired: "\(certificate) has expired. Renew it on the broker; if it is valid, set this machine's clock."
    case .notYetValid:
      "\(certificate) is not valid yet. Set this machine's clock, or renew the certificate on the broker."
    case .unknownAuthority:
      "\(certificate) is signed by an authority that this station does not know. Give it that authority's certificate: "
        + "tally fleet join --ca-file FILE."
    case .wrongName:
      "\(certificate) is not for the name \(broker.host). Join with a name that the certificate has, or give the broker a "
        + "certificate for this name."
    case .certificateWanted:
      "The broker at \(broker) wants a certificate of this station. Start tally-mqttd with --cert and --key."
    case .certificateRefused(let reason):
      "The broker at \(broker) does not accept this station's certificate (\(reason)). Check --cert and --key, and the "
        + "authorities that the broker knows."
    case .noTLS:
      "The server at \(broker) does not speak TLS. Join with mqtt://, or with the port at which the broker speaks TLS."
    case .closed:
      "The server at \(broker) closed the connection before TLS began. If it does not speak TLS at this port, join with "
        + "mqtt://, or with the port at which it does."
    case .other(let reason):
      "TLS with the broker at \(broker) failed: \(reason). Check the broker's certificate, the host in the URL, the "
        + "certificates of tally fleet join --ca-file, and --cert and --key."
    }
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix(".") ? String(dropLast()) : self }
}
