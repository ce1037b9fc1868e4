import Foundation
import Gestures
import InputKit
import TestKit
import Testing

@testable import Bindings

/// The list of known devices and udev's data base, held against devices that nobody counts with.
@Suite struct KnownDeviceTests {
  /// A line of `Devices/corpus.tsv`.
  struct Stranger: CustomTestStringConvertible {
    let kind: String
    let name: String
    let identity: DeviceConditions.Identity
    var testDescription: String { "\(kind) \(name)" }

    /// Its nodes, as such devices have them: a keyboard and its volume keys, a mouse, what scans and types.
    var nodes: [DeviceDescription] {
      let keyboard: [UInt16: Set<UInt16>] = [1: Set(1...127), 0x11: [0, 1, 2]]
      let consumer: [UInt16: Set<UInt16>] = [1: [113, 114, 115, 163, 164, 165, 104, 105, 106, 109]]
      let mouse: [UInt16: Set<UInt16>] = [1: [0x110, 0x111, 0x112], 2: [0, 1, 8]]
      let layouts =
        kind == "mouse"
        ? [("", mouse), (" Keyboard", keyboard)] : [("", keyboard), (" Consumer Control", consumer), (" Mouse", mouse)]
      return layouts.flatMap { suffix, codes in
        [3, 5].map { bus in
          DeviceDescription(
            name: name + suffix, bus: bus, vendor: identity.vendor, product: identity.product, codes: codes)
        }
      }
    }
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: Checkout.path(path), encoding: .utf8)) ?? ""
  }

  static let strangers: [Stranger] = text("Tests/Unit/Input/Bindings/Devices/corpus.tsv").split(separator: "\n")
    .compactMap {
      let parts = $0.split(separator: "\t")
      guard parts.count == 3, let identity = DeviceConditions.Identity(String(parts[1])) else { return nil }
      return Stranger(kind: String(parts[0]), name: String(parts[2]), identity: identity)
    }

  /// What `70-tallymark.rules` looks up in udev's data base.
  private static func key(_ device: DeviceDescription) -> String {
    func digits(_ number: UInt16) -> String { String(String(0x10000 + Int(number), radix: 16).dropFirst()) }
    return "tallymark:b\(digits(device.bus))v\(digits(device.vendor))p\(digits(device.product)):\(device.name)"
  }

  private static let patterns: [String] = text("udev/70-tallymark.hwdb").split(separator: "\n").map(String.init)
    .filter { $0.hasPrefix("tallymark:") }

  @Test func `the corpus has keyboards, mice, scanners, card readers and receivers, 200 at least`() {
    #expect(Self.strangers.count >= 200)
    for kind in ["keyboard", "mouse", "scanner", "card-reader", "receiver"] {
      #expect(Self.strangers.count { $0.kind == kind } >= 20, "\(kind)")
    }
  }

  @Test func `no known device is a keyboard, mouse, scanner, card reader or receiver of the corpus`() {
    for stranger in Self.strangers {
      for node in stranger.nodes {
        let matching = KnownDevice.shipped.filter { $0.conditions.match(node) }.map(\.title)
        #expect(matching == [], "\(stranger.testDescription)")
        #expect(throws: NotUsed.self, "\(node.name)") { try Configuration.standard.used(node) }
      }
    }
  }

  @Test func `udev's data base knows none of the corpus`() {
    #expect(Self.patterns.count > 40)
    for node in Self.strangers.flatMap(\.nodes) {
      let key = Self.key(node)
      #expect(Self.patterns.filter { fnmatch($0, key, 0) == 0 } == [], "\(key)")
    }
  }

  /// What sysfs prints of a node's keys: words of 32 or 64 bits, the highest first and without the empty ones before it.
  private static func capabilities(_ keys: Set<Int>, wordSize: Int) -> String {
    let last = (keys.max() ?? 0) / wordSize
    let words = (0...last).reversed().map { word in
      keys.filter { $0 / wordSize == word }.reduce(UInt64(0)) { $0 | 1 << UInt64($1 % wordSize) }
    }
    return words.map { String($0, radix: 16) }.joined(separator: " ")
  }

  @Test(arguments: [32, 64])
  func `udev lets a node with keys of a keyboard be written by nobody, whatever its word size`(wordSize: Int) throws {
    let line = Self.text("udev/70-tallymark.rules").split(separator: "\n").first {
      $0.hasPrefix("ATTRS{capabilities/key}!=") && $0.hasSuffix("GOTO=\"tallymark_end\"")
    }
    let patterns = try #require(line).split(separator: "\"")[1].split(separator: "|").map(String.init)
    func isWritable(_ keys: Set<Int>) -> Bool {
      let text = Self.capabilities(keys, wordSize: wordSize)
      return patterns.contains { fnmatch($0, text, 0) == 0 }
    }
    #expect(isWritable([]))
    #expect(isWritable(Set(0x130...0x13e)) && isWritable([0x100]))
    // The arrows of a Wii Remote, a keypad's Enter, the volume, the power key.
    for key in [1, 28, 31, 32, 63, 64, 96, 103, 108, 113, 115, 116, 127] {
      #expect(!isWritable([key]) && !isWritable([key, 0x130, 0x2c0]), "\(key)")
    }
  }

  @Test(arguments: KnownDevice.shipped.indices)
  func `a node that can type letters is not used unless a person names it, whatever its id and name`(
    entry: Int
  ) throws {
    let known = KnownDevice.shipped[entry]
    let device = known.example.with { $0.codes[1] = Set(1...127) }
    #expect(known.conditions.match(device))
    guard case .unused(.typesLetters) = Configuration.standard.rule(for: device) else {
      Issue.record("\(known.title): \(Configuration.standard.rule(for: device))")
      return
    }
    let named = try Configuration("[[device]]\nname = \"\(device.name)\"\n")
    #expect(named.rule(for: device).press(30) == "add")
  }

  @Test(arguments: KnownDevice.shipped.indices) func `every entry is used where it cannot type, and names its source`(
    entry: Int
  ) throws {
    let known = KnownDevice.shipped[entry]
    let rule = try Configuration.standard.used(known.example)
    #expect(rule.source == .known(title: known.title, kind: known.kind))
    #expect(known.source.count > 6)
  }

  @Test func `a known id with the keys of something else is not used`() {
    let device = DeviceDescription(
      name: "Wireless Receiver", bus: 3, vendor: 0x046d, product: 0xc515, codes: [1: [113, 115]])
    #expect(
      Configuration.standard.rule(for: device).description
        == "it has the id of Logitech cordless presenter, but not the keys of a presenter")
  }

  @Test func `a presenter's "back" subtracts, everything else on it adds`() {
    let presenter = DeviceDescription(
      name: "Logitech USB Receiver", bus: 3, vendor: 0x046d, product: 0xc52d,
      codes: [1: [1, 52, 63, 104, 105, 106, 109]])
    let use = Configuration.standard.rule(for: presenter)
    #expect([109, 104, 105, 106, 63].map { use.press($0) } == ["add", "subtract", "subtract", "add", "add"])
  }

  @Test func `a dial adds when it is turned to the right, subtracts to the left`() {
    let knob = DeviceDescription(
      name: "Griffin PowerMate", bus: 3, vendor: 0x077d, product: 0x0410, codes: [1: [0x100], 2: [7]])
    let use = Configuration.standard.rule(for: knob)
    #expect(use.does(Gesture(kind: .dialRight, time: 0)) == "add")
    #expect(use.does(Gesture(kind: .dialLeft, time: 0)) == "subtract")
  }

  @Test func `a rotary encoder that is named is a dial`() throws {
    let encoder = DeviceDescription(name: "rotary@0", codes: [2: [0]])
    let use = try Configuration("[[device]]\nname = \"rotary*\"\n").rule(for: encoder)
    #expect(use.does(Gesture(kind: .dialRight, time: 0)) == "add")
    #expect(use.does(Gesture(kind: .dialLeft, time: 0)) == "subtract")
    #expect(Configuration.standard.rule(for: encoder).description.hasSuffix("names it"))
  }
}

extension KnownDevice {
  /// A device that the entry means and that cannot type.
  fileprivate var example: DeviceDescription {
    let identity = conditions.identities.first ?? .init(vendor: 0x1234, product: 0x5678)
    let name = conditions.names.first.map { String($0.filter { $0 != "*" }) } ?? "Something"
    return DeviceDescription(
      name: name, bus: conditions.bus ?? 3, vendor: identity.vendor, product: identity.product,
      codes: [1: [28, 104, 109, 115, 0x100], 2: [7]])
  }
}
