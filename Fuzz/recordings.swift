// Recordings as a stranger may hand them over. The input is the text of one.
import Gestures

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  do throws(EvemuRecording.Problem) {
    let recording = try EvemuRecording(text)
    demand(recording.device != nil || !recording.frames.isEmpty, "nothing passes for a recording")
    var recognizer = DeviceRecognizer(description: recording.device ?? DeviceDescription(name: ""))
    for frame in recording.frames { _ = recognizer.handle(frame) }
    _ = recognizer.advance(to: .max)
  } catch {
    demand(error.line >= 1 && !error.reason.isEmpty, "a refusal says where and why")
  }
  return 0
}
