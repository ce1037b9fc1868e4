public import CoreAPI
import JSON
public import Varlink

/// The responses to orders of pages.
extension Routes.Content {
  /// The response for a paired device; its browser keeps the key, and no script can read it.
  ///
  /// - Parameter origin: that of the page. Behind TLS, the browser may send the key by TLS only.
  public static func paired(_ device: PairedDevices.Device, key: String, origin: String) -> Self {
    let cookie =
      "\(DeviceCookie.name(at: origin))=\(device.id).\(key); Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict"
      + (origin.hasPrefix("https:") ? "; Secure" : "")
    return .object(200, [("Set-Cookie", cookie)]) { $0.add("name", device.name) }
  }

  public static func refused(_ refusal: PairedDevices.Refusal) -> Self {
    switch refusal {
    case .unknownCode: .refusal(403, "code", "This code is used up or too old. Ask the machine for another one.")
    case .tooManyTries: .refusal(429, "tries", "Too many tries. Wait a minute, then try again.")
    case .tooManyDevices: .refusal(409, "devices", "Too many devices are paired. Remove one on the machine first.")
    case .badName: .refusal(400, "name", "Give the device a short name.")
    }
  }

  public static let unpaired = refusal(403, "unpaired", BoardMessage.unpaired)
  public static let mayNotSetUp = refusal(
    403, "setup", "This device may count, but not set up. Pair it on the machine with: tally-board pair --setup")
  public static let tooFast = refusal(429, "fast", "This device counts faster than 30 times a second.")
  public static let noCore = refusal(503, "away", "There is no core now.")

  /// The response for the core's reply to `Open`.
  public static func opened(_ result: Result<Counters.OpenReply, VarlinkError>) -> Self {
    switch result {
    case .success(let opened):
      return .object(200) { object in
        object.add("epoch", opened.epoch)
        object.add("lastEpoch", opened.last?.epoch)
        object.add("lastSequence", opened.last?.sequence)
      }
    case .failure(let error): return failed(error)
    }
  }

  /// The response for the core's replies to consecutive deliveries: the number of counted ones before the first
  /// failure, or the reason why the first one failed.
  ///
  /// - Parameter refusedNote: the reason why a note of one of them is not written, for the person.
  public static func delivered(_ errors: [VarlinkError?], refusedNote: VarlinkError? = nil) -> Self {
    let counted = errors.prefix { error in error.map(isForgotten) ?? true }.count
    if counted == 0, let error = errors.first ?? nil { return failed(error) }
    return .object(200) { object in
      object.add("counted", Int64(counted))
      object.add("message", refusedNote.map { "Counted, but without its note: \($0)" })
    }
  }

  /// Whether the delivery was counted so long ago that the core has no reply any more.
  private static func isForgotten(_ error: VarlinkError) -> Bool {
    Counters.Refusal(error)?.reason == .deliveryForgotten
  }

  public static let tooOldToUndo = refusal(
    422, "old",
    "Only counts and notes among the last 64 events can be taken back here. On the machine: tally undo NUMBER")

  /// The response to a device that counts from more addresses than a person has.
  public static let tooManyOrigins = refusal(
    429, "origins", "This device counts from too many addresses of the board. Use one of them.")

  public static let busy = refusal(503, "busy", "Too many look back at once. Try again in a few seconds.")

  /// The response to an order that changes nothing.
  public static let nothingToChange = refusal(422, "nothing", "There is nothing to change.")

  /// The response for the core's reply to one change.
  public static func changed(_ result: Result<Counters.EventReply, VarlinkError>) -> Self {
    switch result {
    case .success(let changed): .object(200) { $0.add("sequence", changed.event.sequence) }
    case .failure(let error): failed(error)
    }
  }

  private static let notUnderstood =
    "The core does not accept this request. If the board or the core was updated, restart both, then reload this page."

  /// The response for an error of the core. At 422 the page deletes the count, at 409 it opens a new epoch and sends
  /// the count again, and at 503 it waits.
  public static func failed(_ error: VarlinkError) -> Self {
    guard let refusal = Counters.Refusal(error) else {
      return error.name == VarlinkError.invalidParameter("").name
        ? .refusal(422, "refused", notUnderstood) : .refusal(503, "away", error.description)
    }
    switch refusal.reason {
    case .deliveryGap, .unknownEpoch, .producerFenced: return .refusal(409, "numbers", refusal.message)
    case .permissionDenied(right: "administer"): return .refusal(422, "refused", refusal.message)
    case .permissionDenied: return .refusal(403, "right", refusal.message)
    case .badFormula(_, let position):
      return .object(422) { object in
        object.add("error", "formula")
        object.add("message", refusal.message)
        object.add("position", position)
      }
    case .storageFailed: return .refusal(503, "storage", refusal.message)
    default: return .refusal(422, "refused", refusal.message)
    }
  }
}

/// The cookie that identifies a paired device: its ID and its key.
public struct DeviceCookie: Sendable, Equatable {
  /// The name of the cookie. It contains the port, because a browser sends its cookies to all boards of a host.
  ///
  /// - Parameter host: a host or an origin, such as `kiosk:8464`.
  static func name(at host: String) -> String {
    guard let colon = host.lastIndex(of: ":") else { return "tallymark" }
    let port = host[colon...].dropFirst()
    // The last colon of [::1] is within the address, and that of https://kiosk before it.
    return "tallymark" + (port.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? "-\(port)" : "")
  }

  public let id: String
  public let key: String

  /// Parses the `Cookie` headers of a request to a host.
  public init?(_ headers: [String], host: String) {
    let name = Self.name(at: host)
    for header in headers {
      for pair in header.split(separator: ";") {
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0] == name else { continue }
        let words = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        (id, key) = (String(words[0]), String(words[1]))
        return
      }
    }
    return nil
  }
}

extension Routes.Tap {
  /// The change in the form of the core.
  ///
  /// - Parameter now: the time by the board's clock, in microseconds since 1970. The page's clock may be wrong, so the
  ///   page states only the age of the change.
  public func change(by device: PairedDevices.Device, now: Int64) -> Counters.Change {
    var change = Counters.Change()
    change.verb = verb.rawValue
    change.counter = counter
    change.device = device.name
    change.gesture = gesture
    if let quantity { change.quantity = quantity }
    let (microseconds, overflow) = age.multipliedReportingOverflow(by: 1000)
    // A short age is the transmission time; an older count has waited.
    if !overflow, age > Self.moment, microseconds < now { change.time = now - microseconds }
    return change
  }

  /// The longest transmission time, in milliseconds.
  private static let moment: Int64 = 2000
}
