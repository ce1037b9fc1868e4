// What a motion sensor's driver may say of itself, and what may lie in its buffer. The input is lines of "channel index
// type", an empty line, and the buffer.
import Gestures
import MotionSensors

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  let end = input.indices.first { input[$0] == 10 && ($0 == 0 || input[$0 - 1] == 10) } ?? input.count
  let lines = String(decoding: input[..<end], as: UTF8.self).split(separator: "\n")
  let buffer = Array(input[min(end + 1, input.count)...])
  var channels: [ScanLayout.Channel] = []
  for line in lines {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, let index = Int(words[1]) else { continue }
    do throws(ScanElement.Problem) {
      let element = try ScanElement(words[2])
      demand(element.bits >= 1 && element.bits + element.shift <= element.storage, "a value lies in its storage")
      channels.append(.init(name: words[0], index: index, element: element))
    } catch {
      demand(!error.description.isEmpty, "a refusal says why")
    }
  }
  do throws(ScanElement.Problem) {
    let layout = try ScanLayout(channels)
    demand((1...4096).contains(layout.byteCount), "a scan has a size")
    for channel in channels {
      guard let number = layout.number(channel.name) else { continue }
      demand(number.offset + channel.element.storage / 8 <= layout.byteCount, "a channel lies in its scan")
      for start in [-1, 0, 1, buffer.count - layout.byteCount, buffer.count, .max] {
        check(number, in: buffer, at: start)
      }
    }
    listen(to: layout, buffer)
  } catch {
    demand(!error.description.isEmpty, "a refusal says why")
  }
  let text = lines.first.map(String.init) ?? ""
  if let rate = SensorSettings.rate(among: text) { demand(rate.isFinite, "a rate is a number") }
  demand(BufferPlan(rate: SensorSettings.rate(among: text)).watermark >= 1, "somebody is woken")
  return 0
}

private func check(_ number: ScanNumber, in buffer: [UInt8], at start: Int) {
  guard let value = number.value(in: buffer, scanAt: start) else { return }
  let element = number.element
  guard element.bits < 63 else { return }
  let limit = Int64(1) << Int64(element.bits - (element.isSigned ? 1 : 0))
  demand(value < limit && value >= (element.isSigned ? -limit : 0), "a value has no more bits than it is said to have")
}

/// What the scans make a recogniser feel.
private func listen(to layout: ScanLayout, _ buffer: [UInt8]) {
  guard let scale = AxisScale(scale: "0.01", offset: "-3"),
    let format = try? AccelerationFormat(layout: layout, scales: [scale, scale, scale])
  else { return }
  var clock = SampleClock(period: 10_000_000, isTrusted: true)
  var recognizer = ShakeRecognizer()
  var gravity = GravityScale()
  var now: Int64 = 0
  for start in stride(from: 0, to: buffer.count, by: format.scanSize) {
    guard let scan = format.scan(in: buffer, at: start) else { return }
    now += 10_000_000
    let time = clock.time(stamp: scan.stamp, behind: 0, now: now)
    let sample = AccelerationSample(time: time, x: scan.x, y: scan.y, z: scan.z)
    let scaled = gravity.scaled(sample) { recognizer.cancel() }
    _ = recognizer.handle(scaled)
  }
}
