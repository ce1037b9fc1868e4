import JSON
import Text

/// The board's addresses, with the response to each request.
public struct Routes: Sendable {
  private let hosts: HostNames

  /// The maximum length of a path, in bytes.
  private static let longestPath = 2048

  public init(hosts: HostNames) { self.hosts = hosts }

  /// The parts of a request that determine the response.
  public struct Request: Sendable {
    public var method: String
    /// The path with its query, as sent.
    public var target: String
    /// All `Host` headers.
    public var hosts: [String]
    /// `If-None-Match`.
    public var knownTag: String?
    public var origin: String?
    public var contentType: String?
    public var body: [UInt8] = []

    public init(method: String, target: String, hosts: [String], knownTag: String? = nil) {
      self.method = method
      self.target = target
      self.hosts = hosts
      self.knownTag = knownTag
    }
  }

  public enum Answer: Sendable {
    case content(Content)
    /// The stream of states and changes.
    case events
    /// A picture that the board keeps.
    case picture(name: String)
    /// An order, which needs the paired devices or the core.
    case order(Order)
  }

  /// A response that replaces the requested one.
  public struct Refusal: Error {
    public let content: Content
  }

  /// The maximum length of a request's body, in bytes.
  public static let longestBody = 16_384

  /// A complete response.
  public struct Content: Sendable {
    /// A refusal: in `error` a word for the page, and a sentence for the person.
    static func refusal(_ status: Int, _ error: String, _ message: String) -> Content {
      .object(status) { object in
        object.add("error", error)
        object.add("message", message)
      }
    }

    static func object(
      _ status: Int, _ headers: [(name: String, value: String)] = [], _ write: (inout ObjectWriter) -> Void
    ) -> Content {
      let headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers
      return Content(status: status, headers: headers, body: Array(EncodedObject(write).description.utf8))
    }

    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    /// A sentence for a person, as plain text.
    public static func sentence(_ status: Int, _ text: String, _ headers: [(name: String, value: String)] = [])
      -> Answer
    {
      .content(
        Content(
          status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
          body: Array((text + "\n").utf8)
        ))
    }
  }

  /// The only script in the page itself. It reloads the page if one of its files did not arrive, once the board
  /// replies: a proxy's error page would never reload. It also says what an old browser lacks, in words that such a
  /// browser reads.
  private static let reloading = "'sha256-RMNw9p3xRY34quoIj5+tlm5RVj9MyQIz6FV9Gbajbi4='"

  /// Headers of every response: the page loads nothing from other hosts, and cannot be embedded in another page.
  public static let safety: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; manifest-src 'self'; script-src 'self' \(reloading); style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  /// The paths of orders by POST.
  private static let orders: Set<Substring> = [
    "/open", "/count", "/undo", "/correct", "/note", "/setup", "/picture", "/pair",
  ]

  private static let needsPost = Content.sentence(
    405, "This address takes orders: use POST.", [("Allow", "POST")])

  public func answer(_ request: Request) -> Answer {
    var request = request
    if let (host, target) = Self.absolute(request.target), request.hosts == [host] { request.target = target }
    guard request.hosts.count == 1, let host = request.hosts.first, hosts.allow(host) else {
      return Content.sentence(
        421, "This board does not answer to that name. Use the machine's address, or start the board with --name NAME.")
    }
    guard request.target.utf8.count <= Self.longestPath else {
      return Content.sentence(414, "The address is too long.")
    }
    let path = request.target.prefix { $0 != "?" && $0 != "#" }
    if Self.orders.contains(path), !["GET", "HEAD"].contains(request.method) {
      return order(request, path, host: host)
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return Content.sentence(405, "This address only shows something: use GET.", [("Allow", "GET, HEAD")])
    }
    switch path {
    case _ where path != "/pair" && Self.orders.contains(path): return Self.needsPost
    case "/events": return .events
    case "/totals", "/plot.svg":
      do throws(ChartQuery.Fault) {
        let query = try ChartQuery(query: request.target.dropFirst(path.utf8.count + 1).prefix { $0 != "#" })
        return .order(.chart(query, path == "/totals" ? .table : .picture))
      } catch {
        return Content.sentence(400, error.sentence)
      }
    case "/history":
      do throws(ChartQuery.Fault) {
        return .order(
          .history(try HistoryQuery(query: request.target.dropFirst(path.utf8.count + 1).prefix { $0 != "#" })))
      } catch {
        return Content.sentence(400, error.sentence)
      }
    case "/qr.svg":
      let query = ChartQuery.values(request.target.dropFirst(path.utf8.count + 1).prefix { $0 != "#" })
      guard let code = query?["text"].flatMap({ QRCode($0) }) else {
        return Content.sentence(400, "Ask for ?text=TEXT, which must not be longer than an address may be.")
      }
      return .content(
        Content(status: 200, headers: [("Content-Type", "image/svg+xml")], body: Array(code.svg.utf8)))
    case "/metrics": return .order(.metrics)
    // A page that waits for the board, such as a kiosk's, asks for this. Pages of other hosts may read no other
    // response.
    case "/ready":
      return Content.sentence(200, "The board is running.", [("Cross-Origin-Resource-Policy", "cross-origin")])
    case "/", "/all", "/pair", "/wall": return file(.page, request)
    default:
      if let part = PageFile.parts[String(path)] {
        // The query is ?BUILD, or ?BUILD.NUMBER for another try.
        let build = request.target.dropFirst(path.utf8.count + 1).prefix { $0 != "." }
        guard build.isEmpty || build == PageFile.build else {
          return Content.sentence(404, "This page is of another version of the board. Reload it.")
        }
        return file(part, request)
      }
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      // /counter/NAME and similar paths; the page reads the name from its address.
      if parts.count == 3, ["counter", "wall", "past", "group", "all"].contains(parts[1]), !parts[2].isEmpty {
        return file(.page, request)
      }
      if parts.count == 3, parts[1] == "picture", let name = (String.pictureSign + parts[2]).pictureName {
        return .picture(name: String(name))
      }
      return Content.sentence(404, "There is nothing at this address. The board is at /.")
    }
  }

  /// The host and the target of a request in absolute form (RFC 9112, 3.2.2), as to a proxy; `nil` for others.
  private static func absolute(_ target: String) -> (host: String, target: String)? {
    guard let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) }) else { return nil }
    let rest = target.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let path = rest.dropFirst(host.count)
    return (String(host), path.hasPrefix("/") ? String(path) : "/" + path)
  }

  /// Parses an order. A stranger's page can send none: its `Origin` differs, and a form's content type is not JSON.
  private func order(_ request: Request, _ path: Substring, host: String) -> Answer {
    guard request.method == "POST" else {
      return Self.needsPost
    }
    guard let origin = request.origin, origin == "http://\(host)" || origin == "https://\(host)" else {
      return Content.sentence(403, "Only the board's own page may ask for this.")
    }
    guard request.body.count <= Self.longestBody else { return Content.sentence(413, "The body is too long.") }
    let type = request.contentType?.lowercased().prefix { $0 != ";" }
    // A form of a stranger's page cannot have this type either.
    if path == "/picture", type?.hasPrefix("image/") == true { return .order(.keep(picture: request.body)) }
    guard type == "application/json" else { return Content.sentence(415, "The body is to be JSON.") }
    guard let order = Order.read(path, request.body, origin: origin) else {
      return Content.sentence(400, "The body is not what this address takes.")
    }
    return .order(order)
  }

  private func file(_ file: PageFile, _ request: Request) -> Answer {
    let headers = [("Content-Type", file.type), ("ETag", file.tag), ("Cache-Control", "no-cache")]
    if request.knownTag == file.tag { return .content(Content(status: 304, headers: headers, body: [])) }
    return .content(Content(status: 200, headers: headers, body: file.bytes))
  }
}
