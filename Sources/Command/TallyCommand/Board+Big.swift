import CoreAPI
import Counting
import Linux
import Reports
import Text

/// One counter that fills the screen, and the actions of keys on it.
extension Board {
  /// The lines of the display: title, number, amount left of a goal, last events.
  func bigLines(columns: Int, rows: Int, at now: Int64) -> [String] {
    let left = rows - 1
    if let formula = shownFormula { return bigLines(formula, columns: columns, rows: left) }
    guard let (line, repliedAt) = shown else {
      return ["There is no counter yet; the first gesture creates one."] + (notice.map { [$0] } ?? [])
    }
    var counter = line
    counter.advance = max(0, now - repliedAt) / 1000
    let events = newest(max(1, min(3, left / 6)), columns: columns)
    let isFlashed = flashed?.name == counter.name
    let lines = page(
      counter.icon, counter.title, counter.count, below: detail(counter), columns: columns,
      room: max(1, left - events.count - 4)
    ) { isFlashed ? Output.styled($0, .flash) : Output.styled($0, .bold, colour: counter.colour) }
    let last = notice.map { [Output.styled($0.clipped(to: columns), .bold)] } ?? []
    return lines + events.dropLast(last.count) + last
  }

  private func bigLines(_ formula: FormulaLine, columns: Int, rows: Int) -> [String] {
    page(
      formula.icon, formula.title, formula.text, below: "= \(formula.formula.formula.printableLine)", columns: columns,
      room: max(1, rows - 4)
    ) { Output.styled($0, .bold, colour: formula.colour) } + (notice.map { [$0] } ?? [])
  }

  /// A heading, a number in large digits in the middle of `room` lines, and a line below them.
  private func page(
    _ icon: String, _ title: String, _ number: String, below: String, columns: Int, room: Int,
    _ styled: (String) -> String
  ) -> [String] {
    let heading = [icon, title.printableLine].filter { !$0.isEmpty }.joined(separator: " ")
    let digits = BigNumber.lines(number, columns: columns - 4, rows: room).map { styled($0.centred(in: columns)) }
    let above = (room - digits.count) / 2
    return [Output.styled(heading.clipped(to: columns).centred(in: columns), .bold)]
      + Array(repeating: "", count: 1 + above) + digits + Array(repeating: "", count: room - above - digits.count)
      + [below.clipped(to: columns).centred(in: columns)]
  }

  /// The line below the number: the state, the amount left of the goal, and the value beside its maximum.
  private func detail(_ counter: CounterLine) -> String {
    let marks = [
      counter.isRunning ? "running" : nil, counter.isLocked ? "locked" : nil,
      counter.target.map { target in
        let left = counter.counter.progress?.left ?? 0
        return left > 0 ? "\(counter.format.text(left)) left of \(counter.format.text(target))" : "goal reached"
      },
      counter.maximum.map { most in
        (counter.value > most ? "over: " : counter.value == most ? "full: " : "")
          + "\(counter.count) of \(counter.format.text(most))"
      },
    ]
    return marks.compactMap(\.self).joined(separator: " · ")
  }

  /// The change that a key makes to the counter on display; `nil` for a key that only selects another one.
  mutating func act(_ key: TerminalKey) -> Counters.Request<Counters.EventReply>? {
    switch key {
    case .right: move(by: 1)
    case .left: move(by: -1)
    default:
      guard shownFormula == nil, let line = shown?.line else { return nil }
      switch key {
      case .letter(" "), .letter("+"), .enter, .up:
        return line.isStopwatch ? .clock(.one(line.name), .toggle) : .add(line.name)
      case .letter("-"), .down: return line.isStopwatch ? nil : .subtract(line.name)
      case .letter("u"): return .undo(line.name)
      default: break
      }
    }
    return nil
  }
}

extension String {
  /// The text with spaces before it, so that it is centred in `columns`.
  fileprivate func centred(in columns: Int) -> String {
    String(repeating: " ", count: max(0, (columns - self.columns) / 2)) + self
  }
}
