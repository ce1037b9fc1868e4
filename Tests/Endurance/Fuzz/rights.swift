// The core's configuration as an administrator may write it. The input is the text of one.
import Toml

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(ConfigurationErrors) {
    let configuration = try CoreConfiguration(text, file: "core.toml")
    demand(500_000...60_000_000 ~= configuration.resetWindow, "a reset waits as long as it may")
    demand(1...4096 ~= configuration.userLimits.connections, "connections are limited")
    demand(1...1_000_000 ~= configuration.userLimits.calls, "calls are limited")
    for holder in configuration.rights.holders.values.joined() {
      demand(Rights.Holder(holder.description) == holder, "a holder is written as it is read")
    }
  } catch {
    demandReasons(error)
  }
  return 0
}
