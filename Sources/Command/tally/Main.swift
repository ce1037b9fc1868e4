import TallyCommand

/// `tally`: the counters on the command line.
@main
enum Main {
  static func main() { Tally.run(Array(CommandLine.arguments.dropFirst())) }
}
