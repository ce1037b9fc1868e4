import Glibc
import Platform

/// `varlink-certification server|client PATH`: one end of the standard's certification, for the tests.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let mode = arguments.first, let path = arguments.last else { usage() }
    do {
      switch mode {
      case "server": try CertificationServer.run(at: path)
      case "client": try CertificationClient.run(against: path)
      default: usage()
      }
    } catch {
      ServiceProcess.log(.error, "\(error)")
      exit(1)
    }
  }

  private static func usage() -> Never {
    ServiceProcess.log(.error, "usage: varlink-certification server|client PATH")
    exit(64)
  }
}
