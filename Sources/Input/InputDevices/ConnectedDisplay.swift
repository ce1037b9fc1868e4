package import Gestures
import Linux

/// The size of the display behind a touchscreen, for panels that state no resolution.
package enum ConnectedDisplay {
  /// The folder with a folder for each output of the graphics cards.
  package static let outputs = "/sys/class/drm"

  /// The size of the only connected display; nil if none or several are connected, or if the display states no size.
  package static func size(in folder: String = outputs) -> PhysicalSize? {
    let connected = FolderContent.names(in: folder).filter {
      $0.hasPrefix("card") && Sysfs.read("\(folder)/\($0)/status") == "connected"
    }
    guard connected.count == 1, let edid = try? FileContent.read("\(folder)/\(connected[0])/edid", upTo: 256) else {
      return nil
    }
    return size(edid: edid)
  }

  /// Reads the size from the first block of an EDID, which states whole centimetres.
  static func size(edid: [UInt8]) -> PhysicalSize? {
    let block = edid.prefix(128)
    guard block.count == 128, block.starts(with: [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]),
      block.reduce(0, &+) == 0
    else { return nil }
    // Projectors have zeros here, and displays that state only their shape have one zero.
    return PhysicalSize(width: Double(block[21]) * 10, height: Double(block[22]) * 10)
  }
}
