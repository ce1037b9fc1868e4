import ArgumentParser
import CoreAPI

/// `tally correct`: sets a counter to the correct value.
struct Correct: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Correct the value of a counter.",
    discussion: """
      Examples:
        tally correct people 12
        tally correct litres -1.25
        tally correct 12  (the current counter)
      """)

  @Argument(
    help: "The counter, or the correct value alone for the current counter.",
    completion: CounterArgument.completionOfCounts)
  var name: String
  @Argument(help: "The correct value.") var value: String?
  @OptionGroup var options: CommonOptions

  func run() throws {
    if value == nil, let sign = name.firstIndex(of: "=") {
      throw ValidationError("Write it without “=”: tally correct \(name[..<sign]) \(name[name.index(after: sign)...])")
    }
    guard value != nil || !name.contains(where: \.isLetter) else {
      throw ValidationError("State the correct value: tally correct \(name) 12")
    }
    let number = try AmountArguments.valid(value ?? name)
    let counter = value == nil ? nil : name
    try CoreClient(options).refuseThousand(number, of: counter)
    try options.change(.correct(counter, quantity: number))
  }
}
