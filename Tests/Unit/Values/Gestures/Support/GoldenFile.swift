import Foundation
import Gestures
import TestKit
import Testing

/// A golden file (`Golden/README.md`): what is done with a device, and what must be recognised.
struct GoldenFile: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let expected: [String]
  private let lines: [[Substring]]

  private static let folder = Checkout.path("Tests/Unit/Values/Gestures/Golden")

  /// The files of the folder.
  static let all: [GoldenFile] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".t") }.sorted().map(GoldenFile.init)
  }()

  private init(name: String) {
    testDescription = name
    let text = (try? String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let gap = lines.firstIndex(where: \.isEmpty) ?? lines.endIndex
    let words = lines.map { line in line.prefix { $0 != "#" }.split(separator: " ") }
    self.lines = words[..<gap].filter { !$0.isEmpty }
    expected = words[gap...].filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  /// Does what the file says.
  func run() throws -> [String] {
    var (device, bound, timing) = (DeviceDescription.screen(), [String](), Timing.standard)
    let heads = lines.prefix { !($0.first?.hasSuffix("ms") ?? false) }
    for words in heads {
      switch words[0] {
      case "device": device = try Self.device(words.last ?? "")
      case "bind": bound.append(words.dropFirst().joined(separator: " "))
      case "set":
        guard words.count == 3, let setting = Timing.Setting(rawValue: String(words[1])), let value = Double(words[2])
        else { throw Script.Problem(words) }
        timing[setting] = value
      default: throw Script.Problem(words)
      }
    }
    var hand = Hand(on: device, bound.map { Interest(words: $0, timing: timing) }, timing: timing)
    hand.now = 0
    for words in lines.dropFirst(heads.count) {
      guard let time = Int64(words[0].dropLast(2)), time >= hand.now else { throw Script.Problem(words) }
      if time > hand.now { hand.wait(time - hand.now) }
      if words.count > 1 { try hand.play(words.dropFirst()) }
    }
    return hand.lines()
  }

  private static func device(_ name: Substring) throws -> DeviceDescription {
    switch name {
    case "pedal": .pedal
    case "gamepad": .gamepad
    case "touchpad": .box
    case "mouse": .wheels
    case "shuttle": .shuttle
    default: throw Script.Problem([name])
    }
  }
}
