import Board
import JSON
public import Linux
import Tallymark
import Varlink

/// The interface for setting up the board: `org.tallymark.Board`.
public final class ControlInterface {
  private let server: Server

  /// - Parameter listener: a Unix socket; every user who may connect to it may set up the board.
  public init(loop: EventLoop, listener: FileDescriptor, board: HTTPServer, core: CoreLink) throws {
    let text = String(decoding: PackageResources.org_tallymark_Board_varlink, as: UTF8.self)
    let service = Service(
      vendor: Product.name, product: "tally-board", version: Product.version, url: Product.url)
    service.add(try Interface(text)) { call in Self.answer(call, board, core) }
    server = try Server(loop: loop, listener: listener, service: service)
  }

  private static func answer(_ call: Call, _ board: HTTPServer, _ core: CoreLink) {
    do {
      switch call.method {
      case "Pair":
        let code = try board.offerCode(isForSetup: call.parameters["setup"]?.bool ?? false)
        call.reply(["code": .string(code.text), "address": .string("http://\(board.address)/pair#\(code.text)")])
      case "Devices":
        let devices = try board.pairedDevices().map { device in
          JSON.object([
            "id": .string(device.id), "name": .string(device.name), "paired": .int(device.paired),
            "setup": .bool(device.maySetUp),
          ])
        }
        call.reply(["devices": .array(devices)])
      case "Status":
        let (address, count) = (board.address, Int64(try board.pairedDevices().count))
        core.inquiry.rights { rights in
          var reply: JSONObject = ["address": .string("http://\(address)/"), "devices": .int(count)]
          if let rights { (reply["mayRead"], reply["mayCount"]) = (.bool(rights.mayRead), .bool(rights.mayCount)) }
          call.reply(reply)
        }
      default:
        let id = call.parameters["id"]?.string ?? ""
        guard try board.revoke(id) else {
          let message = "There is no device “\(id)”. List them: tally-board devices"
          return call.fail(
            VarlinkError("org.tallymark.Board.NoSuchDevice", ["id": .string(id), "message": .string(message)]))
        }
        call.reply()
      }
    } catch {
      call.fail(VarlinkError("org.tallymark.Board.Failed", ["message": .string("The board \(error).")]))
    }
  }
}
