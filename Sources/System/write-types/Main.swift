import Foundation
import SwiftTypes
import Varlink

/// Prints the Swift types of an interface from its description.
@main enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      FileHandle.standardError.write(Data("usage: write-types DESCRIPTION NAMESPACE\n".utf8))
      exit(64)
    }
    let interface = try Interface(String(contentsOfFile: arguments[1], encoding: .utf8), keepsComments: true)
    print(try SwiftTypes(of: interface, in: arguments[2]).code(source: arguments[1]), terminator: "")
  }
}
