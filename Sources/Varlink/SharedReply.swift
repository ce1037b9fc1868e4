/// A reply with more to come that goes to many callers: put into words once.
public struct SharedReply {
  let bytes: [UInt8]

  public init(_ parameters: JSONObject) {
    var bytes: [UInt8] = []
    ReplyMessage.continuing(parameters).write(to: &bytes)
    self.bytes = bytes
  }
}
