import Foundation
import Glibc
import JSON
import Linux

/// Who sends calls in the thread of the core's own loop and reads what is answered when he likes, a watcher for one.
final class LiveWatcher {
  private let descriptor: FileDescriptor
  private var unread: [UInt8] = []

  init(_ path: String) throws { descriptor = try UnixSocket.connect(to: path, blocking: false) }

  /// Sends calls of the interface, all at once.
  func send(_ method: String, _ parameters: JSONObject = [:], times: Int = 1, more: Bool = false) {
    var call: JSONObject = ["method": .string("org.tallymark.Counters.\(method)"), "parameters": .object(parameters)]
    if more { call["more"] = true }
    let bytes = Array((JSON.object(call).description + "\0").utf8)
    let all = (0..<times).flatMap { _ in bytes }
    precondition(Glibc.send(descriptor.number, all, all.count, Int32(MSG_NOSIGNAL)) == all.count)
  }

  /// Everything that has come and was not read yet.
  func read() throws -> [JSONObject] {
    var portion = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor.number, &portion, portion.count, 0)
      guard count > 0 else { break }
      unread += portion[..<count]
    }
    guard let last = unread.lastIndex(of: 0) else { return [] }
    let messages = unread[..<last].split(separator: 0)
    unread.removeFirst(last + 1)
    return try messages.compactMap {
      try JSON(parsing: String(decoding: $0, as: UTF8.self)).object?["parameters"]?.object
    }
  }
}
