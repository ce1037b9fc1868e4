/// The versions of the protocol.
public enum MQTTVersion: Equatable, Sendable {
  case v5
  /// 3.1.1
  case v311
}

/// The settings of a connection.
public struct MQTTSettings: Sendable {
  public var host: String
  public var port: UInt16
  public var version = MQTTVersion.v5
  /// The client's ID; at most 23 characters for brokers of version 3.1.1.
  public var clientID: String
  public var user: String?
  public var password: String?
  public var tls: MQTTEncryption?
  /// The message that the broker publishes when the connection is lost.
  public var will: MQTTMessage?
  /// The timeout of connecting, in seconds.
  public var patience: Int64 = 20
  /// The longest time without a packet, in seconds.
  public var keepalive = 15
  /// The maximum length of packets from the broker, in bytes. MQTT 5 only.
  public var maximumPacket: UInt32 = 65_536

  public init(host: String, port: UInt16, clientID: String) {
    self.host = host
    self.port = port
    self.clientID = clientID
  }
}

/// Files of TLS.
public struct MQTTEncryption: Equatable, Sendable {
  /// Certificates of authorities; `nil` for those of the system. The file is read when the connection begins.
  public var authorities: String?
  /// This client's certificate.
  public var certificate: String?
  /// The key of ``certificate``.
  public var key: String?
  let systemAuthorities = "/etc/ssl/certs"

  public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
    self.authorities = authorities
    self.certificate = certificate
    self.key = key
  }
}

/// A message to publish.
public struct MQTTMessage: Equatable, Sendable {
  public var topic: String
  public var payload: String
  /// The quality of service, 0 or 1.
  public var quality: Int32
  public var isRetained: Bool

  public init(_ topic: String, _ payload: String, quality: Int32, isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.quality = quality
    self.isRetained = isRetained
  }
}

/// A received message.
public struct MQTTReceived: Equatable, Sendable {
  public let topic: String
  /// The payload; only the beginning of a longer one.
  public let payload: [UInt8]
  /// The maximum length of a payload in bytes. A broker for MQTT 3.1.1 may deliver more.
  static let maximumLength = 65_536
  /// Whether the broker had stored the message before this client subscribed; for a filter that shows retained
  /// messages, whether the message was published to be stored.
  public let isRetained: Bool
}

/// The end of a connection.
public enum MQTTFailure: Equatable, Sendable {
  /// The broker's reason code: of a CONNACK or a DISCONNECT.
  case refused(code: Int32)
  /// The kernel's error.
  case system(Int32)
  case tls(TLSFailure)
  /// The host's name has no address.
  case name
  /// No reply within the keepalive, or to the connection attempt.
  case silent
  /// The broker closed the connection, with a reason if known.
  case lost(String?)
  case protocolViolated
  /// The broker sends a packet of more than 16 MiB.
  case tooLong
  /// A file of TLS cannot be used.
  case files
}

/// The reason for which TLS with the broker failed.
public enum TLSFailure: Equatable, Sendable {
  /// The broker's certificate has expired, is not valid yet, has no known authority, or has another name.
  case expired, notYetValid, unknownAuthority, wrongName
  /// The broker requires a certificate of this client.
  case certificateWanted
  /// The broker does not accept this client's certificate, with OpenSSL's reason.
  case certificateRefused(String)
  /// The server does not speak TLS, or ended the connection before TLS began.
  case noTLS, closed
  /// OpenSSL's reason.
  case other(String)

  /// - Parameters:
  ///   - reason: the end of OpenSSL's error, such as "certificate verify failed".
  ///   - result: the result of checking the broker's certificate (X509_V_ERR_…).
  public init(reason: String, result: Int) {
    // Compares words, because a search for a text links the parser of regular expressions, which costs 2 MB.
    let words = reason.split { $0 == " " }
    // An alert comes from the broker.
    if words.contains("alert") {
      if reason.hasSuffix("certificate required") {
        self = .certificateWanted
      } else if words.contains("certificate") || reason.hasSuffix("unknown ca") {
        self = .certificateRefused(reason)
      } else {
        self = .other(reason)
      }
      return
    }
    if reason == "wrong version number" || reason == "record layer failure" {
      self = .noTLS
      return
    }
    if reason == "unexpected eof while reading" {
      self = .closed
      return
    }
    guard reason == "certificate verify failed" else {
      self = .other(reason)
      return
    }
    switch result {
    case 9: self = .notYetValid
    case 10: self = .expired
    // Missing issuers, self-signed certificates, and a certificate that is trusted for no purpose.
    case 2, 18, 19, 20, 21, 27: self = .unknownAuthority
    case 62, 64: self = .wrongName
    default: self = .other(reason)
    }
  }
}

/// A report of a connection.
public enum Report: Equatable, Sendable {
  case connected
  case message(MQTTReceived)
  /// A message was sent (quality 0) or acknowledged; codes of 128 and more are refusals (MQTT 5).
  case acknowledged(Int32, code: Int32)
  case subscribed(Int32, isGranted: Bool)
  /// The last report.
  case ended(MQTTFailure)
}
