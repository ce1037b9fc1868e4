// Recordings as a stranger may hand them over, in either of the formats. The input is the text of one.
import Gestures
import Recordings

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  if LibinputRecording.isOne(text) { readLibinput(text) } else { readEvemu(text) }
  return 0
}

private func readLibinput(_ text: String) {
  do throws(LibinputRecording.Problem) {
    let recording = try LibinputRecording(text)
    for part in recording.devices {
      recognise(part.frames, on: part.device)
      writeAndRead(part.frames, of: part.device)
    }
  } catch {
    demand(!error.description.isEmpty, "a refusal says why")
  }
}

private func readEvemu(_ text: String) {
  do throws(EvemuRecording.Problem) {
    let recording = try EvemuRecording(text)
    demand(recording.device != nil || !recording.frames.isEmpty, "nothing passes for a recording")
    let device = recording.device ?? DeviceDescription(name: "")
    recognise(recording.frames, on: device)
    writeAndRead(recording.frames, of: device)
  } catch {
    demand(error.line >= 1 && !error.reason.isEmpty, "a refusal says where and why")
  }
}

private func recognise(_ frames: [Frame], on device: DeviceDescription) {
  var recognizer = DeviceRecognizer(description: device)
  for frame in frames { _ = recognizer.handle(frame) }
  _ = recognizer.advance(to: .max)
}

/// What is written of it reads as the same frames.
private func writeAndRead(_ frames: [Frame], of device: DeviceDescription) {
  var writer = RecordingText()
  let text = frames.reduce(writer.head(device)) { $0 + writer.frame($1) }
  let read = try? EvemuRecording(text)
  demand(read?.device != nil, "what is written can be read")
  demand(read?.frames.map(\.events) == frames.map(\.events), "the events are the same")
  demand(read?.frames.map(\.isResync) == frames.map(\.isResync), "and so is what was dropped")
}
