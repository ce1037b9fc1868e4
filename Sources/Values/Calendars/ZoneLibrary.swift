import Glibc
import Synchronization

/// The time zones of the C library, which uses one zone at a time for the whole process.
///
/// A lock guards all uses, and each use restores the zone of the process. Only a thread that reads the environment
/// directly may see the `TZ` of another zone meanwhile.
///
/// Changing the zone makes the library read two files, so offsets are cached in stretches of a year; finding those of
/// one stretch takes about 0.1 ms. The cache also serves if a file cannot be read later: a program with too many open
/// files must not use another zone's midnight as the end of a day.
enum ZoneLibrary {
  /// The zones in use, by the value of `TZ` that selects each.
  private static let zones = Mutex<[String: Known]>([:])

  private struct Known {
    let stamp: FileStamp?
    var stretches: [Int64: Stretch] = [:]
  }

  /// `TZ` in the environment of this process; `nil` if it is not set.
  static var processSetting: String? { zones.withLock { _ in setting } }

  /// Adds a file's zone, as the file is now.
  ///
  /// - Returns: the value of `TZ` for the zone; `nil` if there is no such file.
  /// - Throws: ``ZoneError`` if the file is no zone, or was never readable.
  static func load(file: String, of name: String) throws(ZoneError) -> String? {
    let setting = ":\(file)"
    var stamp: FileStamp?
    do throws(FileStamp.Unreadable) {
      stamp = try FileStamp(file)
      // The C library would wait for a pipe.
      guard stamp != nil else { return nil }
    } catch {}
    let isKnown = zones.withLock { zones in
      if let stamp, zones[setting]?.stamp != stamp {
        let known = Known(stamp: stamp)
        if let zone = filled(known, setting) { zones[setting] = zone }
      } else if let known = zones[setting] {
        zones[setting] = filled(known, setting) ?? known
      }
      return zones[setting] != nil
    }
    guard isKnown else { throw ZoneError("the file of the time zone “\(name)” cannot be read, or is not a time zone") }
    return setting
  }

  /// Adds the stretches of this year and the next one; `nil` if the file cannot be read.
  private static func filled(_ known: Known, _ setting: String) -> Known? {
    var known = known
    let present = Stretch.index(of: Int64(time(nil)))
    for index in [present, present + 1] where known.stretches[index] == nil {
      guard let stretch = read(index, setting) else { return nil }
      known.stretches[index] = stretch
    }
    return known
  }

  /// The offset in seconds east of universal time.
  static func offset(at time: Int64, in setting: String) -> Int {
    let index = Stretch.index(of: time)
    return zones.withLock { stretch(index, setting, &$0).offset(at: time) }
  }

  /// The first moment after `time` and up to `end` at which the offset changes; `nil` if it does not change.
  static func firstChange(after time: Int64, until end: Int64, in setting: String) -> Int64? {
    guard time < end else { return nil }
    for index in Stretch.index(of: time)...Stretch.index(of: end) {
      let changes = zones.withLock { stretch(index, setting, &$0).changes }
      if let change = changes.first(where: { $0.time > time }) { return change.time <= end ? change.time : nil }
    }
    return nil
  }

  /// A stretch; if the zone cannot be read, a stretch with the known offset that is nearest in time.
  private static func stretch(_ index: Int64, _ setting: String, _ zones: inout [String: Known]) -> Stretch {
    if let stretch = zones[setting]?.stretches[index] { return stretch }
    guard let stretch = read(index, setting) else {
      let nearest = zones[setting]?.stretches.min { abs($0.key - index) < abs($1.key - index) }
      return Stretch(offset: nearest.map { $0.value.offset(at: index << Stretch.bits) } ?? 0)
    }
    if zones[setting]?.stretches.count ?? 0 >= mostStretches { zones[setting]?.stretches.removeAll() }
    zones[setting, default: Known(stamp: nil)].stretches[index] = stretch
    return stretch
  }

  /// The maximum number of stretches per zone, to bound the memory: a client may ask for any year.
  private static let mostStretches = 32

  // MARK: The C library

  private static var setting: String? { unsafe getenv("TZ").map { unsafe String(cString: $0) } }

  /// Finds the offsets of a stretch; `nil` if a file cannot be read or is no zone.
  private static func read(_ index: Int64, _ setting: String) -> Stretch? {
    let own = self.setting
    unsafe setenv("TZ", setting, 1)
    tzset()
    defer {
      if let own { unsafe setenv("TZ", own, 1) } else { unsafe unsetenv("TZ") }
      tzset()
    }
    let (start, end) = (index << Stretch.bits, (index + 1) << Stretch.bits)
    guard !setting.hasPrefix(":") || isLoaded else { return nil }
    var stretch = Stretch(offset: currentOffset(at: start))
    var (last, offset) = (start, stretch.offset)
    for time in stride(from: start + Stretch.step, through: end, by: Int(Stretch.step)) {
      if currentOffset(at: time) != offset {
        var (before, after) = (last, time)
        while after - before > 1 {
          let middle = before + (after - before) / 2
          if currentOffset(at: middle) == offset { before = middle } else { after = middle }
        }
        offset = currentOffset(at: after)
        stretch.changes.append(Stretch.Change(time: after, offset: offset))
      }
      last = time
    }
    return stretch
  }

  /// Whether the library could read the zone: otherwise the abbreviation of the zone is empty.
  private static var isLoaded: Bool {
    var time = time_t(0)
    var broken = unsafe tm()
    return unsafe localtime_r(&time, &broken) != nil && broken.tm_zone?.pointee ?? 0 != 0
  }

  private static func currentOffset(at time: Int64) -> Int {
    var time = time_t(time)
    var broken = unsafe tm()
    unsafe localtime_r(&time, &broken)
    return unsafe broken.tm_gmtoff
  }
}

/// The offsets of a zone during about a year.
private struct Stretch {
  struct Change {
    let time: Int64
    let offset: Int
  }

  /// The offset at the beginning.
  let offset: Int
  var changes: [Change] = []

  /// 2^25 seconds are 388 days.
  static let bits: Int64 = 25
  /// The time between two queried moments: 36 hours. No zone of the database has two changes within 3 days.
  static let step: Int64 = 1 << 17

  static func index(of time: Int64) -> Int64 { time >> bits }

  func offset(at time: Int64) -> Int { changes.last { $0.time <= time }?.offset ?? offset }
}

/// Identifies one version of a file.
private struct FileStamp: Equatable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  private let seconds: Int
  private let nanoseconds: Int

  /// The file may exist, but its status cannot be read.
  struct Unreadable: Error {}

  /// `nil` if there is no regular file.
  init?(_ path: String) throws(Unreadable) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Unreadable()
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
