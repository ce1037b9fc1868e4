import ArgumentParser
import TallyCommand

/// `tally`: the counters on the command line.
@main
enum Main {
  static func main() { Tally.main() }
}
