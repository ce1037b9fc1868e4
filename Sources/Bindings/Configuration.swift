/// What `input.toml` says: which devices are used, and what each gesture does.
///
/// ```toml
/// [[bind]]                        # for every device that is used
/// gesture = "swipe-down"
/// do = "subtract"
///
/// [[device]]                      # a device that is used because this names it
/// name = "FootSwitch*"            # or id, bus, uniq, phys; all that are given must hold
/// grab = true
///
///   [[device.bind]]
///   gesture = "press"
///   key = "KEY_B"                 # or keys = [...]; without it any key but modifiers
///   do = "add people 2"
/// ```
///
/// A gesture is looked for among the device's own bindings, then among those for every device, then among the defaults;
/// in each of them a binding that names the key comes before one that does not. A device with bindings of its own has
/// no defaults: it does what its table says, and nothing that one would have to know of.
public struct Configuration: Equatable, Sendable {
  /// The file that this came from, as it was named; nil where there is none and only defaults apply.
  public let file: String?
  public let rules: [DeviceRule]
  /// The bindings for every device.
  public let bindings: [Binding]

  /// What applies where there is no file.
  public static let standard = Configuration(file: nil, rules: [], bindings: [])

  /// A larger file is no configuration; 1 MiB.
  public static let sizeLimit = 1 << 20

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - file: the file's name for messages.
  ///   - keys: the names that keys have.
  /// - Throws: everything that is wrong in it.
  public init(_ bytes: [UInt8], file: String, keys: KeyNames) throws(ConfigurationErrors) {
    var reader = ConfigurationReader(file: file, keys: keys)
    var rules: [DeviceRule] = []
    var bindings: [Binding] = []
    for member in try reader.members(of: bytes, known: ["device", "bind"]) {
      switch member.key {
      case "device": rules = reader.rules(member.value)
      case "bind": bindings = reader.bindings(member.value, of: "[[bind]]")
      default: break
      }
    }
    try reader.finish()
    self.init(file: file, rules: rules, bindings: bindings)
  }

  private init(file: String?, rules: [DeviceRule], bindings: [Binding]) {
    self.file = file
    self.rules = rules
    self.bindings = bindings
  }

  /// Where a configuration is looked for, in this order; the first file that exists is the one.
  ///
  /// - Parameters:
  ///   - option: what `--config` says; then there is no other place.
  ///   - configHome: `$XDG_CONFIG_HOME`, which only counts when it is absolute, as its specification says.
  ///   - home: `$HOME`.
  public static func places(option: String?, configHome: String?, home: String?) -> [String] {
    if let option { return [option] }
    let absolute = { (path: String?) in path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let folder = absolute(configHome) ?? absolute(home).map { $0 + "/.config" }
    return [folder.map { $0 + "/tallymark/input.toml" }, "/etc/tallymark/input.toml"].compactMap(\.self)
  }
}

extension ConfigurationReader {
  /// Reads the file as TOML and checks the names of its tables.
  mutating func members(of bytes: [UInt8], known: [String]) throws(ConfigurationErrors) -> [Member] {
    guard bytes.count <= Configuration.sizeLimit else {
      fail(Place(line: 0, column: 0), "this is larger than 1 MiB and cannot be a configuration")
      throw ConfigurationErrors(errors: errors)
    }
    do throws(TomlDocument.Failure) {
      let members = try TomlDocument(bytes).members
      checkKeys(members, of: "the file", known: known)
      return members
    } catch {
      fail(error.place, "this is not TOML", hint: error.reason)
      throw ConfigurationErrors(errors: errors)
    }
  }

  /// Throws what has been gathered, if anything.
  func finish() throws(ConfigurationErrors) {
    guard errors.isEmpty else {
      throw ConfigurationErrors(errors: errors.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }
  }

  fileprivate mutating func rules(_ value: Value) -> [DeviceRule] {
    var rules: [DeviceRule] = []
    for (members, place) in tables("device", value) {
      checkKeys(members, of: "[[device]]", known: Self.conditionKeys + ["grab", "bind"])
      let conditions = conditions(members, of: "[[device]]", at: place)
      let grab = members.first { $0.key == "grab" }.flatMap { boolean("grab", $0.value) } ?? false
      let bind = members.first { $0.key == "bind" }
      let bindings = bind.map { self.bindings($0.value, of: "[[device.bind]]") } ?? []
      if let earlier = rules.first(where: { $0.conditions == conditions && conditions.isTelling }) {
        fail(place, "the same device is described already on line \(earlier.line)")
      }
      rules.append(DeviceRule(conditions: conditions, grab: grab, bindings: bindings, line: place.line))
    }
    return rules
  }
}
